// Circular dependencies: processes that each wait for a message another one sends only afterwards.
//
// A send leads to the receives that may take it, a receive to the sends of its process that stand
// after its wait. An instance is a cycle that visits no process twice; what counts are its
// receives. There may be exponentially many, so they are streamed, never kept, and counted against
// a limit that is told when it is reached.

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "predict/pairs/match_pairs.h"

namespace vouch::predict {

// The graph as the dissertation draws it: sends and receives are its vertices.
struct DependencyGraph {
  DependencyGraph(const Program&, const MatchPairs&);

  std::vector<std::vector<OpId>> next;  // by operation
  std::size_t vertices = 0, match_edges = 0, order_edges = 0;
};

struct CycleLimits {
  std::size_t cycles = 1'000'000;
  std::size_t steps = 100'000'000;  // edges looked at
};
enum class CycleEnd : std::uint8_t { all, stopped, limit };

// Each instance once, as receives in the order of the cycle, the one of the lowest process first;
// until the callback says false.
CycleEnd circular_dependencies(const Program&, const MatchPairs&,
                               const std::function<bool(const std::vector<OpId>&)>&,
                               const CycleLimits& = {});

}  // namespace vouch::predict
