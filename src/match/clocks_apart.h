// Clocks over several agents: docs/design/003-clocks.md.
//
// What a process learns from another agent's (from a message, from a collective whose home is
// elsewhere, from the receive of its synchronous send) is a moment there. It goes by a number; what
// it counts follows once it is known, in whatever order. Here it is a moment of nobody that waits
// until then.

#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "match/clock.h"
#include "match/operation.h"
#include "match/remote.h"
#include "model/world.h"

namespace vouch {

class Clocks;

class ApartClocks {
 public:
  using Counted = std::vector<std::pair<int, std::uint32_t>>;  // points by rank

  ApartClocks(Clocks& clocks, World& world, RemoteMoments& remote)
      : clocks_(clocks), world_(world), remote_(remote) {}

  // Messages. By which `node` knows the moment of this send; 0: nothing happens before it.
  std::uint64_t number_of(int node, const Operation& send);
  // What `node` calls so, of a send of this rank.
  MomentRef moment_of(int node, WorldRank rank, std::uint64_t number);
  // A synchronous send to another agent's process is complete.
  void completed(const Operation& send);
  // One of another agent's has met this receive.
  void answer(const Operation& send, const Operation& recv);

  // Collectives. What our members give to it, for its home: one moment, or one each.
  std::vector<std::uint64_t> give(int home, const Wave&);
  // We are its home: what members of `node` have given, in their order.
  void bring(int node, std::uint64_t assembly, std::uint64_t index,
             const std::vector<std::uint32_t>& processes,
             const std::vector<std::uint64_t>& numbers);
  struct Brought {
    std::uint32_t process = Moment::kNobody;  // kNobody: of all members together
    MomentRef moment;
  };
  std::vector<Brought> take_brought(const Wave&);
  void tell(const Attendee&, const MomentRef& from);  // then tell_all()
  void tell_all(bool doubtful);

  // A moment that leaves is known.
  void leave(Moment&);
  void give_up();

  // From other agents. False: it is malformed.
  bool take_known(int node, std::uint64_t number, bool doubtful, bool by_memory, const Counted&);
  bool take_met(int node, WorldRank sender, std::uint64_t send, std::uint64_t number);
  bool take_told(int node, const std::vector<CallName>&, std::uint64_t number, bool doubtful);

 private:
  struct Leaving {
    int node;
    std::uint64_t number;
    MomentRef moment;
  };
  struct Import {
    MomentRef moment;
    bool known = false;
    bool done = false;  // nothing more will refer to it
  };
  struct Sent {
    MomentRef moment;
    std::uint64_t number = 0;
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  std::uint64_t number(int node, const MomentRef&, std::uint32_t besides = 0);
  Import& import(int node, std::uint64_t number);
  MomentRef once(int node, std::uint64_t number);  // referred to by nothing else
  void erase_if_done(int node, std::uint64_t number);
  std::uint32_t local(WorldRank);  // Moment::kNobody: it is not here

  Clocks& clocks_;
  World& world_;
  RemoteMoments& remote_;
  MomentRef nothing_;
  std::uint64_t next_ = 0;
  std::unordered_map<int, std::uint32_t> local_;  // by rank
  std::unordered_map<const Moment*, Leaving> leaving_;
  std::map<Key, Sent> sent_;             // by process and node: the latest
  std::map<Key, Import> imports_;        // by node and number
  std::unordered_map<int, Key> latest_;  // by rank: the latest import of its sends
  std::map<Key, MomentRef> unanswered_;  // by process and number: synchronous sends
  std::map<Key, std::vector<Brought>> brought_;
  std::map<std::pair<int, const Moment*>, std::pair<MomentRef, std::vector<CallName>>> telling_;
};

}  // namespace vouch
