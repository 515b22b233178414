// Wait-for graph of blocked ranks.
//
// An edge r -> s: r cannot go on until s acts. MPI_Waitall and collectives need all their edges
// (AND); MPI_ANY_SOURCE and MPI_Waitany need one (OR). Release every rank that can go on, again and
// again: those left are deadlocked. The result does not depend on the order of release. A finished
// rank never acts. A rank with several entries has several threads, each waiting for its own: it
// can act once one of them can, and is stuck if all are. What "any member" and "all that have not
// come" mean is kept as one node each, so the graph has O(ranks + conditions) edges.

#pragma once

#include <vector>

#include "wait/snapshot.h"

namespace vouch::wait {

// Ranks that wait in one way and are deadlocked.
using Stuck = Blocked;

// One deadlock: its core cannot be made smaller by leaving out a rank that only waits for the rest.
struct Deadlock {
  enum class Shape : std::uint8_t {
    cycle,     // each waits for the next
    knot,      // each waits for one of several, all of them in here
    finished,  // for one that will do nothing any more
  };
  Shape shape = Shape::cycle;
  std::vector<Stuck> core;
  std::vector<Rank> order;  // cycle: the ranks in order of waiting, the lowest first
  RankSet finished;         // those waited for that are finished
  bool manifest = true;     // all of the core are inside these calls
  bool operator==(const Deadlock&) const = default;
};

struct Verdict {
  std::vector<Deadlock> deadlocks;
  std::vector<Stuck> waiting;  // deadlocked, but only because they wait for a core
  RankSet ranks;               // all that are deadlocked
  bool empty() const { return ranks.empty(); }
  bool operator==(const Verdict&) const = default;
};

struct Judging {
  bool loose = false;  // what a library may let go on does go on
  bool polls = false;  // loops of tests count as blocking
};

Verdict judge(const Snapshot&, const Groups&, const Judging& = {});

// The ranks a term asks for, seen from one rank: those that must, or may, act. Of a communicator's
// members, those that are not above all ranks of the snapshot.
RankSet targets(const Term&, Rank from, const Snapshot&, const Groups&);

}  // namespace vouch::wait
