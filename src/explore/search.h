// Which schedule to run next: runs seen in, next schedule out.
//
// The outcomes of a program are cut into parts by a tree. A node stands for an event that has been
// issued in every run that came there; its branches are the sources the event got or is to get.
// A run adds the path of its own decisions, in an order in which each stands behind all that lies
// before it; every late message (clocks.h) is a branch that is missing somewhere on a path. So each
// run is in one part that no other run is in: no schedule is executed twice.
//
//   vector clocks    an alternative may show for an event high up on the path, since what a later
//                    event got made a new message possible. It is taken down the tree with all that
//                    it keeps of its run, to the first branch that is missing.
//   Lamport clocks   alternatives show only below what was forced (a new message has a greater
//                    height); what stands before in the order is forced.
//
// Bounds. With a mixing bound k, only the first k events with alternatives below a flipped one are
// flipped too. Marked regions keep what they got. What is left out is counted.
//
// It is a pure function of the runs it was given and of their order: feeding the same runs again
// brings back the same state, which is how an interrupted exploration goes on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "explore/clocks.h"
#include "explore/novelty.h"

namespace vouch::explore {

struct Bounds {
  static constexpr int kUnbounded = -1;
  int mixing = kUnbounded;
  std::map<int, int> mixing_of{};  // by region, instead
  // Of the events of one process at one place in the program, explore the first so many; the rest
  // are iterations of a loop that keep what they got. 0: all.
  int iterations = 0;
  // Whether other requests than those found complete are taken too (MPI_Waitany).
  enum class Picks : std::uint8_t {
    none,
    few,  // if what the first run could have found has at most kFewPicks orders
    all,
  };
  static constexpr std::size_t kFewPicks = 32;
  Picks picks = Picks::none;
  // POE: what a receive could have got is found by match-sets (poe.h), not by clocks.
  bool match_sets = false;
  // Standard sends wait for their receives; with them every collective for all its members.
  enum class Sends : std::uint8_t { buffered, synchronous, all_synchronous };
  Sends sends = Sends::buffered;
  // Which of the schedules that are known is run first. It changes neither what is run in the end
  // nor how often, if nothing ends the search before.
  enum class Order : std::uint8_t {
    depth,  // the last decision of the last run: few runs are kept in memory
    novel,  // what shows most that no run has shown (novelty.h), fewest changed decisions first
  };
  Order order = Order::depth;
};

struct Job {
  std::size_t number = 0;  // to be given back with the run
  Decisions forced{};
  std::size_t parent = 0;                     // whose run showed it; its own number: nobody's
  EventId flipped{};                          // what is decided otherwise there
  std::shared_ptr<const Observation> from{};  // that run
  std::vector<OpId> until{};                  // how far it must be repeated (prefix.h)
};

class Search {
 public:
  Search(Protocol protocol, Bounds bounds)
      : protocol_(protocol),
        bounds_(std::move(bounds)),
        picks_(bounds_.picks == Bounds::Picks::all) {}

  // The next schedule to run, the first time the empty one; none: nothing is open now. Several may
  // be under way at once.
  std::optional<Job> next();

  enum class Fit : std::uint8_t {
    accepted,
    diverged,  // it did not follow its schedule
    repeated,  // it ended where another run had been
  };
  Fit done(const Job&, const Observation&);
  // It brought nothing that can be used.
  void failed(const Job&);
  // Of what the run of this job, the latest one, could have done otherwise, only these need be run;
  // the rest is known to be like it (alone.h). False: that does not fit, all of it stays open.
  bool prove(const Job&, const std::vector<Decisions>& differing);

  std::size_t open() const { return open_.size(); }
  std::size_t running() const { return running_.size(); }
  std::size_t runs() const { return runs_; }
  // Alternatives that were left alone: by bounds, in marked regions.
  std::size_t bounded() const { return bounded_; }
  std::size_t abstracted() const { return abstracted_; }
  std::size_t suppressed() const { return suppressed_; }
  // Other picks that were left alone, and picks for which it is not known whether there are others.
  std::size_t picks_left() const { return picks_left_; }
  std::size_t unclear() const { return unclear_; }
  // Alternatives for which it was not clear where they belong.
  std::size_t unplaced() const { return unplaced_; }
  bool exhausted() const { return runs_ > 0 && open_.empty() && running_.empty(); }
  // How much of the tree is done, if all branches of a node were equal.
  double covered() const;
  const Analysed& latest() const { return *latest_; }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Want {
    std::shared_ptr<const Analysed> run;
    std::size_t job = 0, event = 0, alternative = 0;
    int flips = 0;  // how many decisions were changed to come there from the first run
    Novel novel{};
  };
  struct Node {
    bool leaf = true;  // no event yet: a run ended here, or is under way
    bool running = false;
    bool closed = false;  // beyond a bound
    bool proved = false;  // branches that are missing need not be run
    EventId event{};
    int budget = Bounds::kUnbounded;  // of a run that takes another branch here
    std::vector<std::pair<int, std::uint32_t>> branches{};  // by source
    std::vector<Want> waiting{};                            // until the run is there
  };
  struct Open {
    std::uint32_t node = kNone;
    int budget = Bounds::kUnbounded;
    Want want{};
    bool below = false;  // seen by the run that came to the node above
    Decisions forced{};  // instead of what is wanted
    EventId flipped{};
    std::size_t parent = 0;
  };

  std::uint32_t branch(const Node& node, int source) const;
  std::uint32_t add_branch(std::uint32_t node, int source);
  void place(Want);
  void open(std::uint32_t node, int source, Want);
  Open take_next();
  Analysed look_at(const Observation&) const;
  std::vector<bool> skipped(const Observation&, const Analysed&) const;
  int own_bound(const Observation&, const Event&) const;
  static bool few_picks(const Analysed&);

  const Protocol protocol_;
  const Bounds bounds_;
  bool picks_;  // are explored
  std::vector<Node> nodes_{};
  std::vector<Open> open_{};  // as they were found
  Novelty novelty_{};
  std::map<std::size_t, Open> running_{};
  std::shared_ptr<const Analysed> latest_;
  std::uint32_t latest_node_ = kNone;  // where its run began
  std::size_t started_ = 0, runs_ = 0;
  std::size_t bounded_ = 0, abstracted_ = 0, suppressed_ = 0, unplaced_ = 0;
  std::size_t picks_left_ = 0, unclear_ = 0;
};

}  // namespace vouch::explore
