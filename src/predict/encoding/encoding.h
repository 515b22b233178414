// The normative encoding [S1-S9], for both bufferings, tags and collectives.
//
// x[r,s] says that receive r takes the message of s. For each send a ladder of literals says
// whether one of its first k candidates has taken it: uniqueness [S1] and the order of a channel
// [S2] are short clauses over it. For each stop of a process a literal says that it was passed; in
// complete executions all are. Time [S3-S6] needs variables only where a cycle is possible at all:
// in the strongly connected parts of the graph of all edges that could be there.
//
// Extent: `complete` describes executions in which all processes end, `prefix` states that can be
// reached, `stuck` those of them where nothing can happen and some process has not ended.

#pragma once

#include <z3++.h>

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "predict/program/order.h"

namespace vouch::predict {

enum class Extent : std::uint8_t { complete, prefix, stuck };

// For tests that show that each rule is needed.
struct Rules {
  bool fifo = true;         // [S2]
  bool after_stops = true;  // [S4], second half
  bool priority = true;     // [S5]
  bool sends_taken = true;  // [S7]
  bool refine = true;       // forbid first what the order forbids anyway
};

class Encoding {
 public:
  Encoding(z3::context&, const Program&, Buffering, const MatchPairs&, Extent, Rules = {});

  // Known to have no solution without asking anybody.
  bool impossible() const { return impossible_; }
  const std::vector<z3::expr>& constraints() const { return constraints_; }
  // What the solution forbids itself: clauses that it breaks. None: it is an execution.
  std::vector<z3::expr> cycles(const std::function<bool(const z3::expr&)>& value) const;
  // The literals of each part where cycles are possible.
  std::vector<std::vector<z3::expr>> together() const;
  std::vector<z3::expr> times() const;

  z3::expr takes(Match) const;  // false where it is impossible
  const std::vector<Match>& pairs() const { return pairs_; }
  const MatchPairs& candidates() const { return refined_.pairs; }
  z3::expr passed(OpId stop) const;
  z3::expr reached(OpId op) const;  // its process has passed what stands before it

 private:
  struct Edge {
    NodeId from, to;
    std::vector<z3::expr> guards;  // all of them; none: always
  };

  void require(z3::expr constraint) { constraints_.push_back(std::move(constraint)); }
  void clause(std::initializer_list<z3::expr>);
  void at_most_one(const std::vector<z3::expr>&);
  z3::expr any_of(const std::vector<z3::expr>&) const;
  z3::expr fresh(const char* what);
  z3::expr literal(const std::string& name) const { return context_.bool_const(name.c_str()); }

  void add_receives();
  void add_ladders();
  void add_channels();
  void add_channel(OpId taker, const std::vector<OpId>& sends, bool tags_matter);
  void add_priority();
  void add_probe_choices();
  void add_stops();
  void add_stuck();
  void add_maximality();
  void add_counts();
  std::vector<z3::expr> merge(const std::vector<z3::expr>& a, const std::vector<z3::expr>& b);
  void keep_edges_on_cycles();

  bool overlaps(OpId earlier, OpId r) const;
  z3::expr matched(OpId receive) const;
  z3::expr received(OpId send) const;                     // by anyone
  z3::expr received_before(OpId send, OpId r) const;      // by a receive before r
  std::vector<z3::expr> complete_parts(OpId stop) const;  // all true: it can be passed
  void edge(NodeId from, NodeId to, std::vector<z3::expr> guards);

  z3::context& context_;
  const Program& program_;
  const Buffering buffering_;
  const Extent extent_;
  const Rules rules_;
  const Order order_;
  const z3::expr yes_, no_;
  const std::vector<OpId> certified_;
  Refined refined_;
  bool impossible_ = false;
  std::size_t fresh_ = 0;
  std::vector<z3::expr> constraints_;
  std::vector<Match> pairs_;
  std::vector<std::unordered_map<OpId, z3::expr>> takes_;     // by receive, send
  std::vector<std::vector<z3::expr>> ladder_;                 // by send: after its k-th candidate
  std::vector<std::vector<std::pair<OpId, z3::expr>>> sees_;  // by probe: messages it may see
  std::unordered_map<OpId, z3::expr> matched_, passed_;
  std::vector<Edge> edges_;          // in the end only those that can lie on a cycle
  std::vector<std::uint32_t> part_;  // by node: its strongly connected part
};

}  // namespace vouch::predict
