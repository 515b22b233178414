// Which receive may take which send: a superset of what can happen, or a part of it.
//
// The exact set is as hard as the whole question; a superset gives the same answers and only costs
// the solver time. Three supersets, from coarse to fine:
//   endpoint      all that the envelopes allow
//   rank          the dissertation's: the i-th receive and the j-th send of a channel must fit.
//   Loses
//                 feasible pairs when deterministic receives are non-blocking: for comparison only
//   source_aware  counts what must have been matched before; loses nothing
// Where tags differ at one destination, ranks mean little: only the lower bound is kept there.

#pragma once

#include <set>
#include <span>
#include <vector>

#include "predict/program/ctp.h"

namespace vouch::predict {

enum class MatchRule : std::uint8_t { endpoint, rank, source_aware };

class MatchPairs {
 public:
  explicit MatchPairs(const Program& program)
      : sends_of_(program.ops.size()), receives_of_(program.ops.size()) {}

  // In the order of program order of sends within a source.
  std::span<const OpId> sends_of(OpId receive) const { return sends_of_[receive]; }
  std::span<const OpId> receives_of(OpId send) const { return receives_of_[send]; }
  std::size_t size() const { return size_; }
  bool contains(Match) const;
  void add(Match);

 private:
  std::vector<std::vector<OpId>> sends_of_, receives_of_;
  std::size_t size_ = 0;
};

MatchPairs match_pairs(const Program&, MatchRule = MatchRule::source_aware);
MatchPairs match_pairs(const Program&, const std::set<Match>& exact);

// The receives and sends of one destination in one communicator, in program order.
struct Endpoint {
  int process = 0, comm = 0;
  std::vector<OpId> receives{}, sends{};
};
std::vector<Endpoint> endpoints(const Program&);
// The rule on a part of an endpoint, as if it were all there is.
void add_pairs(const Program&, const Endpoint&, const std::vector<OpId>& nearest_waits, MatchRule,
               MatchPairs&);

}  // namespace vouch::predict
