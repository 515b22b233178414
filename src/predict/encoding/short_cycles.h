// Cycles of a graph whose edges are free or chosen: few chosen edges each, so that forbidding a
// cycle says much.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vouch::predict {

class CycleFinder {
 public:
  explicit CycleFinder(std::size_t nodes) : out_(nodes) {}

  void add(std::uint32_t from, std::uint32_t to, std::size_t edge, bool chosen);
  // Different cycles, as the edges they were added with; none: there is no cycle at all.
  std::vector<std::vector<std::size_t>> find(std::size_t limit) const;

 private:
  struct Edge {
    std::uint32_t from, to;
    std::size_t number;
    bool chosen;
  };

  std::vector<std::size_t> shortest(const Edge& start,
                                    const std::vector<std::uint32_t>& part) const;

  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> out_;  // by node: indices into edges_
};

}  // namespace vouch::predict
