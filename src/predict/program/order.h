// What must come before what, whatever the schedule.
//
// Nodes are the instants that matter: a receive is matched; a wait, a probe, a collective or a
// blocking rendezvous send is passed. A send needs none: its message can be taken as soon as its
// process has passed what stands before it (`before`), and a rendezvous send is done after its
// match (`done`). So with receive r and send s matched there are two edges, before(s) -> r and
// r -> done(s), the latter for rendezvous sends only; everything else is fixed.
//
// A node's necessary predecessors are those of its fixed edges, and what all its possible partners
// have in common. They hold in every execution, complete or not: a pair that contradicts them is
// impossible, and a node before itself never happens.

#pragma once

#include <cstdint>
#include <vector>

#include "predict/pairs/match_pairs.h"

namespace vouch::predict {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~0u;

struct Order {
  Order(const Program&, Buffering);

  // An operation that can stop its process: these, in program order, make a process's spine.
  bool stops(OpId op) const { return stops_[op]; }
  // The last stop before the operation in its process; kNoOp: it stands at the start.
  OpId stop_before(OpId op) const { return stop_before_[op]; }
  NodeId before(OpId op) const {
    return stop_before_[op] == kNoOp ? kNoNode : node_[stop_before_[op]];
  }
  NodeId node(OpId op) const { return node_[op]; }
  // When a rendezvous send has been received: itself or its wait. kNoNode: nothing depends on it.
  NodeId done(OpId send) const { return done_[send]; }
  bool never(NodeId n) const { return never_[n]; }  // it cannot happen: a member never calls it

  std::size_t nodes = 0;
  std::vector<std::pair<NodeId, NodeId>> edges;  // fixed

 private:
  std::vector<NodeId> node_, done_;
  std::vector<OpId> stop_before_;
  std::vector<bool> stops_;
  std::vector<bool> never_;
};

// Pairs without those that the order forbids, and the nodes that never happen.
struct Refined {
  MatchPairs pairs;
  std::vector<bool> never;  // by node
  // Only meaningful for complete executions: some receive or rendezvous send has no partner left,
  // or something that must happen cannot.
  bool incomplete = false;
};
// `complete`: every receive and every rendezvous send must be matched; pairs that would take away a
// partner another one depends on go, too. Such pairs may matter for deadlocks.
Refined refine(const Program&, const Order&, Buffering, const MatchPairs&, bool complete);

}  // namespace vouch::predict
