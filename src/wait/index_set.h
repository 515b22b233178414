// A set of operations of one process, by their indices: those of many that lie close together cost
// about a bit each.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flat_map.h"
#include "wait/operation.h"

namespace vouch::wait {

class IndexSet {
 public:
  bool empty() const { return words_.empty(); }
  bool contains(Index i) {
    const std::uint64_t* word = words_.find(i / 64);
    return word != nullptr && (*word >> i % 64 & 1) != 0;
  }
  void insert(Index i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  // Whether it was there.
  bool erase(Index i) {
    std::uint64_t* word = words_.find(i / 64);
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    if (word == nullptr || (*word & bit) == 0) return false;
    *word &= ~bit;
    if (*word == 0) words_.erase(i / 64);
    return true;
  }

 private:
  FlatMap<Index, std::uint64_t> words_;
};

}  // namespace vouch::wait
