// Intervals of memory, found by the bytes they meet: a treap with the highest end of each subtree.
// As long as there are few they stand in a list.
//
// Each carries two numbers of its owner's. Nodes are pooled, so that inserting and erasing
// allocates nothing once the program has reached its stride.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vouch {

class IntervalTree {
 public:
  static constexpr std::uint32_t kNone = 0;
  struct Node {
    std::int64_t lo = 0, hi = 0, most = 0;  // most: highest end below
    std::uint32_t left = kNone, right = kNone, weight = 0;
    std::uint32_t operation = 0, region = 0;
  };

  IntervalTree() : nodes_(1) { nodes_[0].most = INT64_MIN; }
  bool empty() const { return list_.empty() && root_ == kNone; }
  std::uint32_t insert(std::int64_t lo, std::int64_t hi, std::uint32_t operation,
                       std::uint32_t region);
  void erase(std::uint32_t node);
  // Nodes whose bounds meet [lo, hi), by rising start; f returns false to stop.
  template <typename F>
  bool for_each(std::int64_t lo, std::int64_t hi, F&& f) const {
    if (root_ != kNone) return visit(root_, lo, hi, f);
    std::uint32_t found[kFew];
    std::size_t n = 0;
    for (const std::uint32_t at : list_) {
      if (nodes_[at].lo < hi && nodes_[at].hi > lo) found[n++] = at;
    }
    if (n > 1)
      std::sort(found, found + n, [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
    for (std::size_t i = 0; i < n; ++i) {
      if (!f(nodes_[found[i]])) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kFew = 16;
  template <typename F>
  bool visit(std::uint32_t at, std::int64_t lo, std::int64_t hi, F& f) const {
    while (at != kNone && nodes_[at].most > lo) {
      const Node& n = nodes_[at];
      if (!visit(n.left, lo, hi, f)) return false;
      if (n.lo >= hi) return true;
      if (n.hi > lo && !f(n)) return false;
      at = n.right;
    }
    return true;
  }
  bool before(std::uint32_t a, std::uint32_t b) const {
    return nodes_[a].lo != nodes_[b].lo ? nodes_[a].lo < nodes_[b].lo : a < b;
  }
  void update(std::uint32_t);
  void give_weight(std::uint32_t);
  void split(std::uint32_t at, std::uint32_t key, std::uint32_t& left, std::uint32_t& right);
  std::uint32_t merge(std::uint32_t, std::uint32_t);
  void plant();  // what stands in the list
  std::uint32_t insert_into(std::uint32_t at, std::uint32_t node);
  std::uint32_t erase_from(std::uint32_t at, std::uint32_t node);

  std::vector<Node> nodes_;  // 0 is none
  std::vector<std::uint32_t> unused_;
  std::vector<std::uint32_t>
      list_;  // of nodes, while there is no tree; `weight` is the place in it
  std::uint32_t root_ = kNone;
  std::uint32_t random_ = 2463534242u;
};

}  // namespace vouch
