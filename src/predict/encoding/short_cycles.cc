#include "predict/encoding/short_cycles.h"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "predict/quick/scc.h"

namespace vouch::predict {

void CycleFinder::add(std::uint32_t from, std::uint32_t to, std::size_t edge, bool chosen) {
  out_[from].push_back(edges_.size());
  edges_.push_back({from, to, edge, chosen});
}

// From the end of the edge back to its start, over as few chosen edges as possible.
std::vector<std::size_t> CycleFinder::shortest(const Edge& start,
                                               const std::vector<std::uint32_t>& part) const {
  std::unordered_map<std::uint32_t, std::pair<std::size_t, std::size_t>> reached;  // cost, edge
  std::deque<std::uint32_t> open{start.to};
  reached[start.to] = {0, ~std::size_t{0}};
  std::set<std::uint32_t> done;
  while (!open.empty()) {
    const auto at = open.front();
    open.pop_front();
    if (!done.insert(at).second) continue;
    if (at == start.from) break;
    for (const auto i : out_[at]) {
      const auto& e = edges_[i];
      if (part[e.to] != part[start.from]) continue;
      const auto cost = reached[at].first + (e.chosen ? 1 : 0);
      const auto known = reached.find(e.to);
      if (known != reached.end() && known->second.first <= cost) continue;
      reached[e.to] = {cost, i};
      if (e.chosen)
        open.push_back(e.to);
      else
        open.push_front(e.to);
    }
  }
  std::vector<std::size_t> cycle{start.number};
  for (auto at = start.from; at != start.to;) {
    const auto& e = edges_[reached.at(at).second];
    cycle.push_back(e.number);
    at = e.from;
  }
  std::sort(cycle.begin(), cycle.end());
  return cycle;
}

std::vector<std::vector<std::size_t>> CycleFinder::find(std::size_t limit) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> graph;
  for (const auto& e : edges_) graph.emplace_back(e.from, e.to);
  const auto part = strong_components(out_.size(), graph);
  std::set<std::vector<std::size_t>> found;
  // A cycle of free edges only is found from any of its edges; else a chosen one lies on it.
  for (const bool chosen : {true, false}) {
    for (const auto& e : edges_) {
      if (e.chosen != chosen || part[e.from] != part[e.to]) continue;
      found.insert(shortest(e, part));
      if (found.size() >= limit) break;
    }
    if (!found.empty()) break;
  }
  return {found.begin(), found.end()};
}

}  // namespace vouch::predict
