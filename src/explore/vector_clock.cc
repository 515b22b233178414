#include "explore/vector_clock.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>

namespace vouch::explore {
namespace {

// Four counts at a time: blocks are compared far more often than they differ.
using Four = std::uint32_t __attribute__((vector_size(16)));

Four four(const void* at) {
  Four value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

bool any(Four mask) {
  std::uint64_t half[2];
  std::memcpy(half, &mask, sizeof(half));
  return (half[0] | half[1]) != 0;
}

}  // namespace

// Blocks that nobody holds wait here for the next clock of the thread. Those with counts are
// smaller.
struct VectorClock::Spare {
  Block* first[2] = {nullptr, nullptr};
  std::size_t count[2] = {0, 0};

  ~Spare() {
    for (Block*& list : first)
      while (list != nullptr) ::operator delete(std::exchange(list, list->kids[0]));
  }
  static Spare& mine() {
    thread_local Spare spare;
    return spare;
  }
  static std::size_t bytes(int levels) {
    return offsetof(Block, kids) + (levels > 0 ? sizeof(Block::kids) : sizeof(Block::counts));
  }
  // One that the caller holds; what is in it is not defined.
  Block* take(int levels) {
    const int kind = levels > 0;
    Block* b = first[kind];
    if (b == nullptr) {
      b = static_cast<Block*>(::operator new(bytes(levels)));
    } else {
      --count[kind];
      first[kind] = b->kids[0];
    }
    b->holders = 1;
    return b;
  }
  void put(Block* b, int levels) {
    constexpr std::size_t kMost = 1 << 17;
    const int kind = levels > 0;
    if (count[kind] == kMost) return ::operator delete(b);
    ++count[kind];
    b->kids[0] = std::exchange(first[kind], b);
  }
};

VectorClock::VectorClock(int processes) {
  for (long room = kWidth; room < processes; room *= kWidth) ++levels_;
}

VectorClock::Block* VectorClock::make(int levels) {
  Block* b = Spare::mine().take(levels);
  if (levels > 0)
    std::fill_n(b->kids, kWidth, nullptr);
  else
    std::fill_n(b->counts, kWidth, 0u);
  return b;
}

void VectorClock::give_back(Block* b, int levels) {
  if (levels > 0)
    for (Block* kid : b->kids) drop(kid, levels - 1);
  Spare::mine().put(b, levels);
}

VectorClock::Block* VectorClock::own(Block* b, int levels) {
  if (b == nullptr) return make(levels);
  if (b->holders == 1) return b;
  Block* copy = Spare::mine().take(levels);
  std::memcpy(copy->kids, b->kids, levels > 0 ? sizeof(b->kids) : sizeof(b->counts));
  if (levels > 0)
    for (Block* kid : copy->kids) hold(kid);
  drop(b, levels);
  return copy;
}

std::uint32_t VectorClock::at(int process) const {
  const Block* b = root_;
  for (int level = levels_; b != nullptr && level > 0; --level)
    b = b->kids[(process >> (kBits * level)) & (kWidth - 1)];
  return b == nullptr ? 0 : b->counts[process & (kWidth - 1)];
}

void VectorClock::set(int process, std::uint32_t value) {
  Block** b = &root_;
  for (int level = levels_; level > 0; --level) {
    *b = own(*b, level);
    b = &(*b)->kids[(process >> (kBits * level)) & (kWidth - 1)];
  }
  *b = own(*b, 0);
  (*b)->counts[process & (kWidth - 1)] = value;
}

// Both return a block that the caller holds, and leave what they were given alone.
VectorClock::Block* VectorClock::join_leaf(Block* a, Block* b) {
  Four more{}, less{};
  for (int i = 0; i < kWidth; i += 4) {
    const Four mine = four(a->counts + i), theirs = four(b->counts + i);
    more |= mine > theirs;
    less |= mine < theirs;
  }
  if (!any(less) || !any(more)) {
    // The same block in both: the next time they meet there is nothing to do.
    Block* greater = any(less) ? b : a;
    ++greater->holders;
    return greater;
  }
  Block* both = Spare::mine().take(0);
  for (int i = 0; i < kWidth; i += 4) {
    const Four mine = four(a->counts + i), theirs = four(b->counts + i);
    const Four greater = mine > theirs ? mine : theirs;
    std::memcpy(both->counts + i, &greater, sizeof(greater));
  }
  return both;
}

VectorClock::Block* VectorClock::join(Block* a, Block* b, int levels) {
  if (b == nullptr || a == b) {
    hold(a);
    return a;
  }
  if (a == nullptr) {
    hold(b);
    return b;
  }
  if (levels == 0) return join_leaf(a, b);
  std::uint32_t other = 0;  // a bit for each kid that is not the same in both
  for (int i = 0; i < kWidth; i += 2)
    if (any(four(a->kids + i) ^ four(b->kids + i))) other |= 3u << i;
  Block* kids[kWidth];
  bool ours = true, theirs = true;
  for (std::uint32_t left = other; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    kids[i] = join(a->kids[i], b->kids[i], levels - 1);
    ours &= kids[i] == a->kids[i];
    theirs &= kids[i] == b->kids[i];
  }
  if (ours || theirs) {
    for (std::uint32_t left = other; left != 0; left &= left - 1)
      drop(kids[std::countr_zero(left)], levels - 1);
    Block* greater = ours ? a : b;
    ++greater->holders;
    return greater;
  }
  Block* both = Spare::mine().take(levels);
  for (int i = 0; i < kWidth; ++i) {
    const bool joined = (other >> i & 1) != 0;
    both->kids[i] = joined ? kids[i] : a->kids[i];
    if (!joined) hold(both->kids[i]);
  }
  return both;
}

void VectorClock::merge(const VectorClock& other) {
  if (root_ == other.root_ || other.root_ == nullptr) return;
  levels_ = std::max(levels_, other.levels_);
  Block* both = join(root_, other.root_, levels_);
  drop(root_, levels_);
  root_ = both;
}

}  // namespace vouch::explore
