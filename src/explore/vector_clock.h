// Vector clocks that share what is equal.
//
// A clock is a tree of small blocks, never changed while somebody else holds them. A copy is a
// pointer; merging skips blocks that are the same in both, so its cost follows what is new and not
// the number of processes: in a large job most entries of two clocks that meet are equal, and their
// blocks are one.

#pragma once

#include <cstdint>
#include <utility>

namespace vouch::explore {

class VectorClock {
 public:
  VectorClock() = default;
  explicit VectorClock(int processes);  // all zero
  VectorClock(const VectorClock& other) : root_(other.root_), levels_(other.levels_) {
    hold(root_);
  }
  VectorClock(VectorClock&& other) noexcept
      : root_(std::exchange(other.root_, nullptr)), levels_(other.levels_) {}
  VectorClock& operator=(VectorClock other) noexcept {
    std::swap(root_, other.root_);
    levels_ = other.levels_;
    return *this;
  }
  ~VectorClock() { drop(root_, levels_); }

  std::uint32_t at(int process) const;
  void set(int process, std::uint32_t value);  // not less than before
  void merge(const VectorClock&);              // componentwise maximum

  // Every entry that is not zero, by process.
  template <typename F>
  void for_each(F&& f) const {
    visit(root_, levels_, 0, f);
  }

 private:
  static constexpr int kBits = 5, kWidth = 1 << kBits;
  struct Block {
    std::uint32_t holders = 1;
    union {
      Block* kids[kWidth];
      std::uint32_t counts[kWidth];
    };
  };

  struct Spare;

  static void hold(Block* b) {
    if (b != nullptr) ++b->holders;
  }
  static void drop(Block* b, int levels) {
    if (b != nullptr && --b->holders == 0) give_back(b, levels);
  }
  static void give_back(Block*, int levels);
  static Block* make(int levels);
  static Block* own(Block*, int levels);  // one that nobody else holds; takes the reference
  static Block* join(Block*, Block*, int levels);
  static Block* join_leaf(Block*, Block*);

  template <typename F>
  static void visit(const Block* b, int levels, int first, F&& f) {
    if (b == nullptr) return;
    for (int i = 0; i < kWidth; ++i) {
      const int at = first | (i << (kBits * levels));
      if (levels > 0)
        visit(b->kids[i], levels - 1, at, f);
      else if (b->counts[i] != 0)
        f(at, b->counts[i]);
    }
  }

  Block* root_ = nullptr;  // nullptr: all zero
  int levels_ = 0;         // above the leaves
};

}  // namespace vouch::explore
