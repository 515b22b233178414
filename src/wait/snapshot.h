// What blocks whom, in a form that can be sent up a tree.
//
// Ranks with the same call, line and condition are one entry, put together where they are known and
// again on the way up: what travels grows with the number of different conditions, not with the
// ranks, and a wildcard receive on all ranks is one entry and no list of arcs.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "wait/operation.h"
#include "wait/rank_list.h"

namespace vouch::wait {

// Sorted runs of ranks.
class RankSet {
 public:
  struct Run {
    Rank first, last;
    auto operator<=>(const Run&) const = default;
  };
  void add(Rank rank) { add(rank, rank); }
  void add(Rank first, Rank last);
  void add(const RankSet&);
  bool contains(Rank) const;
  bool empty() const { return runs_.empty(); }
  Rank first() const { return runs_.front().first; }
  std::size_t size() const;
  const std::vector<Run>& runs() const { return runs_; }
  std::vector<int> list() const;
  auto operator<=>(const RankSet&) const = default;

 private:
  std::vector<Run> runs_;
};

// The members of a communicator. Of an inter-communicator both groups; a member's partners are in
// the other one.
struct Group {
  RankList members;
  RankList others;  // empty: an intra-communicator
  bool inter() const { return !others.empty(); }
  std::size_t total() const { return members.size() + others.size(); }
};
using GroupRef = std::shared_ptr<const Group>;
using Groups = std::unordered_map<CommId, GroupRef>;

// Something that must happen.
struct Term {
  enum class Kind : std::uint8_t {
    rank,    // that process must act
    offset,  // the same, given relative to the waiting one
    any,     // one of the processes that could send must
    wave,    // all members that have not come to that collective must
  };
  Kind kind = Kind::rank;
  std::int8_t side = 0;  // any: 0 the members, 1 the others
  bool offered = false;  // rank, offset: a message of ours is offered to it
  bool loose = false;    // the library may go on without: it may buffer, or leave early
  bool taken = false;    // any: what is there, receives posted before have taken
  Rank rank = 0;         // or the offset
  CommId comm = 0;       // any, wave
  std::uint64_t wave = 0;
  auto operator<=>(const Term&) const = default;
};

struct Blocked {
  Label label;
  Kind kind = Kind::other;
  bool returned = false;    // the library has let them go on: they only might have blocked
  bool polling = false;     // in a loop of tests, not in a blocking call
  bool all = true;          // all terms are needed, else one
  std::vector<Term> terms;  // sorted, each once
  RankSet ranks;
  auto key() const { return std::tie(label, kind, returned, polling, all, terms); }
  void sort_terms();
  bool operator==(const Blocked&) const = default;
};

// Entries of one rank each, with absolute terms, put together. Neighbours in a grid wait for each
// other at equal distances, workers for one master: what gives fewer entries is taken, for each
// call site.
std::vector<Blocked> aggregate(std::vector<Blocked>);

struct WaveState {
  CommId comm = 0;
  std::uint64_t wave = 0;
  RankSet came;
  bool operator==(const WaveState&) const = default;
};

// A wildcard receive whose message came from `source`, while that process is, by the rules, still
// in an operation before its send, and others offer a message.
struct Unexpected {
  Rank receiver = 0, source = 0;
  auto operator<=>(const Unexpected&) const = default;
};

// How to take what the rules leave open.
struct View {
  // Nothing has moved for long. So where the library had a choice, it has taken the messages that
  // leave everybody waiting: only what is met whatever it chose still runs.
  bool silent = false;
  // What a schedule decided counts as asked for. Without: what would hold in any schedule.
  bool decisions = true;
  std::uint64_t bits() const { return (silent ? 1u : 0u) | (decisions ? 2u : 0u); }
  static View of_bits(std::uint64_t bits) { return {(bits & 1) != 0, (bits & 2) != 0}; }
};

struct Snapshot {
  std::vector<Blocked> blocked;
  std::vector<WaveState> waves;  // that somebody waits for
  std::vector<Unexpected> unexpected;
  RankSet running, finished;
  // With a wildcard that can take an offered message, which is not known yet; by receiver, the
  // senders of such.
  std::map<Rank, RankSet> undecided;
  std::uint64_t largest = 0;  // bytes of the largest message so far
  bool decided = false;       // somebody is in a call that waits for what a schedule decided
  RankSet still;              // blocked where the previous state showed them
  RankSet
      moving;  // not inside a call that waits, or they were not when the previous state was taken
  RankSet unmet;  // were let go on (Node::relax) from what has still not met its partner

  void merge(const Snapshot&);
  // Entries in order, equal ones joined.
  void normalize();
  std::size_t bytes() const;  // about, as a message
};

}  // namespace vouch::wait
