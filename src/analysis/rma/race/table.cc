#include "analysis/rma/race/table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace vouch::rma {

namespace {

// Updates of elements that can be one with others.
bool on_one_grid(const Access& a, const Access& b) {
  return a.touch.what != Touches::update || a.touch.element <= 1 ||
         (a.region.lo - b.region.lo) % a.touch.element == 0;
}

}  // namespace

AccessId AccessTable::make(Access&& access) {
  AccessId id;
  if (unused_.empty()) {
    id = static_cast<AccessId>(pool_.size());
    pool_.push_back(std::move(access));
  } else {
    id = unused_.back();
    unused_.pop_back();
    VOUCH_CHECK(pool_[id].refs == 0 && !pool_[id].in_tree);
    pool_[id] = std::move(access);
  }
  pool_[id].refs = 1;
  return id;
}

void AccessTable::let_go(AccessId id) {
  Access& a = pool_[id];
  VOUCH_CHECK(a.refs > 0);
  if (--a.refs > 0) return;
  VOUCH_CHECK(!a.in_tree);
  a = Access{};
  unused_.push_back(id);
}

// Another one in the tree of the same place, start, end, kind and lock, which this one touches.
// `near`: ones that differ only in what was told or learnt through memory in between.
AccessId AccessTable::like(AccessId id, AccessId (&near)[2]) {
  const Access& a = pool_[id];
  if (!a.region.dense() || a.ends_alone) return 0;
  AccessId found = 0;
  tree(a).for_each(a.region.lo - 1, a.region.hi + 1, [&](const IntervalTree::Node& n) {
    const Access& b = pool_[n.operation];
    const bool same =
        n.operation != id && b.site == a.site && b.proc == a.proc && b.region.dense() &&
        b.touch.what == a.touch.what && b.touch.op == a.touch.op &&
        b.touch.basic == a.touch.basic && on_one_grid(a, b) && b.start.process == a.start.process &&
        b.start.knows.get() == a.start.knows.get() &&
        b.start.exposed.get() == a.start.exposed.get() && b.exposure == a.exposure &&
        b.lock == a.lock && b.window == a.window && b.target == a.target && !b.ends_alone &&
        b.over_here == a.over_here && b.small == a.small &&
        b.end.point.process == a.end.point.process && b.end.point.number == a.end.point.number;
    if (!same) return true;
    if (memory_.alike(a.start, b.start) && memory_.alike(a.end, b.end))
      found = n.operation;
    else
      near[near[0] != 0] = n.operation;
    return found == 0;
  });
  return found;
}

// One in the tree becomes this one, too.
bool AccessTable::take_in(AccessId id, AccessId (&near)[2]) {
  const AccessId other = like(id, near);
  if (other == 0) return false;
  const Access& a = pool_[id];
  Access& b = pool_[other];
  b.start.tick = std::min(b.start.tick, a.start.tick);
  b.end.tick = std::max(b.end.tick, a.end.tick);
  if (b.polls != nullptr && (a.polls == nullptr || *b.polls)) b.polls = a.polls;
  const std::int64_t lo = std::min(a.region.lo, b.region.lo),
                     hi = std::max(a.region.hi, b.region.hi);
  if (lo == b.region.lo && hi == b.region.hi) return true;
  tree(b).erase(b.node);
  b.region.lo = lo;
  b.region.hi = hi;
  b.node = tree(b).insert(lo, hi, other, 0);
  return true;
}

void AccessTable::insert(AccessId id) {
  AccessId near[2] = {};
  if (take_in(id, near)) return;
  Access& a = pool_[id];
  VOUCH_CHECK(!a.in_tree && a.refs > 0);
  a.node = tree(a).insert(a.region.lo, a.region.hi, id, 0);
  a.in_tree = true;
  ++a.refs;
  ++live_;
}

void AccessTable::remove(AccessId id) {
  Access& a = pool_[id];
  VOUCH_CHECK(a.in_tree && live_ > 0);
  tree(a).erase(a.node);
  a.in_tree = false;
  --live_;
  let_go(id);
}

void AccessTable::ended(AccessId id) {
  AccessId near[2] = {}, none[2] = {};
  if (take_in(id, near)) return remove(id);
  // In a loop that tells or learns something in each round, earlier rounds are alike by now.
  if (near[1] != 0 && take_in(near[0], none)) remove(near[0]);
}

}  // namespace vouch::rma
