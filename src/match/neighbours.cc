#include "match/neighbours.h"

#include <algorithm>

namespace vouch {
namespace {

// MPI-4.1 8.6: of each dimension first the neighbour below, then the one above.
bool in_grid(const Assembly& a, int me, std::vector<NeighbourSource>& sources) {
  if (a.dims.empty() || a.periods.size() < a.dims.size() ||
      std::any_of(a.dims.begin(), a.dims.end(), [](std::int64_t n) { return n <= 0; }))
    return false;
  std::int64_t below = 1;  // ranks that one step in this dimension is worth
  for (std::size_t d = a.dims.size(); d-- > 0; below *= a.dims[d]) {
    const std::int64_t at = me / below % a.dims[d];
    for (const int step : {-1, 1}) {
      std::int64_t from = at + step;
      if ((from < 0 || from >= a.dims[d]) && !a.periods[d]) continue;
      from = (from + a.dims[d]) % a.dims[d];
      sources.push_back({static_cast<int>(me + (from - at) * below),
                         static_cast<int>(2 * d + (step > 0 ? 1 : 0))});
    }
  }
  return true;
}

}  // namespace

bool sources_of(const Assembly& a, int me, std::vector<NeighbourSource>& sources) {
  sources.clear();
  if (a.inter || a.topology == Topology::none) return false;
  if (a.topology == Topology::cart) return in_grid(a, me, sources);
  if (a.graph == nullptr || !a.graph->joined().complete()) return false;
  const Graph& graph = a.graph->joined();
  const auto mine = graph.nodes.find(me);
  if (mine == graph.nodes.end()) return false;
  for (std::size_t i = 0; i < mine->second.sources.size(); ++i)
    sources.push_back({mine->second.sources[i], graph.ordered ? static_cast<int>(i) : -1});
  return true;
}

}  // namespace vouch
