// The strongly connected parts of a graph.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace vouch::predict {

// By node a number; equal numbers: on a common cycle (or the node alone).
inline std::vector<std::uint32_t> strong_components(
    std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  std::vector<std::uint32_t> start(nodes + 1), target(edges.size());
  for (const auto& [from, to] : edges) ++start[from + 1];
  for (std::size_t n = 0; n < nodes; ++n) start[n + 1] += start[n];
  auto fill = start;
  for (const auto& [from, to] : edges) target[fill[from]++] = to;

  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> part(nodes, kNone), index(nodes, kNone), low(nodes), stack;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      work;  // node, next edge (Tarjan, no recursion)
  std::uint32_t counter = 0, parts = 0;
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (index[root] != kNone) continue;
    work.push_back({root, start[root]});
    while (!work.empty()) {
      auto& [n, next] = work.back();
      if (next == start[n] && index[n] == kNone) {
        index[n] = low[n] = counter++;
        stack.push_back(n);
      }
      if (next < start[n + 1]) {
        const auto to = target[next++];
        if (index[to] == kNone)
          work.push_back({to, start[to]});
        else if (part[to] == kNone)
          low[n] = std::min(low[n], index[to]);
        continue;
      }
      if (low[n] == index[n]) {
        std::uint32_t member;
        do {
          member = stack.back();
          stack.pop_back();
          part[member] = parts;
        } while (member != n);
        ++parts;
      }
      const auto done = n;
      work.pop_back();
      if (!work.empty()) low[work.back().first] = std::min(low[work.back().first], low[done]);
    }
  }
  return part;
}

}  // namespace vouch::predict
