#include "explore/vector_clock.h"

#include <algorithm>
#include <cstring>

namespace vouch::explore {

VectorClock::VectorClock(int processes) {
  for (long room = kWidth; room < processes; room *= kWidth) ++levels_;
}

VectorClock::Block* VectorClock::make(int levels) {
  auto* b = new Block;
  if (levels > 0)
    std::fill_n(b->kids, kWidth, nullptr);
  else
    std::fill_n(b->counts, kWidth, 0u);
  return b;
}

void VectorClock::drop(Block* b, int levels) {
  if (b == nullptr || --b->holders > 0) return;
  if (levels > 0)
    for (Block* kid : b->kids) drop(kid, levels - 1);
  delete b;
}

VectorClock::Block* VectorClock::own(Block* b, int levels) {
  if (b == nullptr) return make(levels);
  if (b->holders == 1) return b;
  auto* copy = new Block(*b);
  copy->holders = 1;
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

VectorClock::Block* VectorClock::join_leaf(Block* into, Block* from) {
  bool more = false, less = false;
  for (int i = 0; i < kWidth; ++i) {
    more |= into->counts[i] > from->counts[i];
    less |= into->counts[i] < from->counts[i];
  }
  if (!less) return into;
  if (!more) {  // the same block in both: the next time they meet there is nothing to do
    hold(from);
    drop(into, 0);
    return from;
  }
  into = own(into, 0);
  for (int i = 0; i < kWidth; ++i) into->counts[i] = std::max(into->counts[i], from->counts[i]);
  return into;
}

VectorClock::Block* VectorClock::join(Block* into, Block* from, int levels) {
  if (from == nullptr || into == from) return into;
  if (into == nullptr) {
    hold(from);
    return from;
  }
  if (levels == 0) return join_leaf(into, from);
  bool all_theirs = true;
  for (int i = 0; i < kWidth; ++i) {
    if (into->kids[i] == from->kids[i]) continue;
    if (from->kids[i] != nullptr) {
      into = own(into, levels);
      into->kids[i] = join(into->kids[i], from->kids[i], levels - 1);
    }
    all_theirs &= into->kids[i] == from->kids[i];
  }
  if (!all_theirs) return into;
  hold(from);
  drop(into, levels);
  return from;
}

void VectorClock::merge(const VectorClock& other) {
  levels_ = std::max(levels_, other.levels_);
  root_ = join(root_, other.root_, levels_);
}

}  // namespace vouch::explore
