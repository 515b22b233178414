#include "analysis/rma/race/findings.h"

#include <algorithm>
#include <utility>

namespace vouch::rma {

Rule rule_of(const Access& a, const Access& b) {
  const bool own = a.by() == b.by() && !at_target(a.touch.what) && !at_target(b.touch.what);
  return own ? Rule::race_local : Rule::rma_race;
}

// The offender first: of one process the later access, else that of the lower rank.
Findings::Pair Findings::in_order(AccessId a, AccessId b) const {
  const Access &x = table_.at(a), &y = table_.at(b);
  if (x.by() == y.by()) {
    const bool later =
        x.start.tick != y.start.tick ? x.start.tick > y.start.tick : x.touch.what > y.touch.what;
    return later ? Pair{a, b} : Pair{b, a};
  }
  return world_.process(x.by()).rank < world_.process(y.by()).rank ? Pair{a, b} : Pair{b, a};
}

// A process may poll by loads for what others write there (MPI-4.1 12.7). That it does is taken
// from the MPI_Win_sync that must follow before anything is made of it.
bool Findings::may_be_polling(const Access& load, const Access& other) {
  return load.polls != nullptr && load.by() != other.by() && at_target(other.touch.what) &&
         load.small && other.small;
}

bool Findings::possible(const Pair& p, bool all_read) const {
  const Access &a = table_.at(p.a), &b = table_.at(p.b);
  if (may_be_polling(a, b) && *a.polls) return true;
  if (may_be_polling(b, a) && *b.polls) return true;
  if (a.by() != b.by() && exclude(a.lock, b.lock) && a.locked() && b.locked()) return true;
  const bool possible = memory_.possible(a.ends(), b.start, all_read) ||
                        memory_.possible(b.ends(), a.start, all_read) ||
                        (a.end.there() && memory_.possible(a.waited(), b.start, all_read)) ||
                        (b.end.there() && memory_.possible(b.waited(), a.start, all_read));
  through_memory_ = through_memory_ || (possible && !memory_.overflown());
  return possible;
}

// No order through memory can turn up any more.
bool Findings::certain(const Pair& p) const {
  const Access &a = table_.at(p.a), &b = table_.at(p.b);
  const auto by_itself = [](const Access& x) { return x.exposure == nullptr && !x.start.exposed; };
  if (a.by() == b.by() && by_itself(a) && by_itself(b)) return true;
  if (may_be_polling(a, b) || may_be_polling(b, a)) return false;
  if (exclude(a.lock, b.lock) && a.may_be_locked() && b.may_be_locked()) return false;
  return !memory_.may_reach(a.start) && !memory_.may_reach(b.start);
}

void Findings::add(AccessId one, AccessId other) {
  const Pair p = in_order(one, other);
  const Access &a = table_.at(p.a), &b = table_.at(p.b);
  Places& places = all_[{rule_of(a, b), std::min(a.site.value, b.site.value),
                         std::max(a.site.value, b.site.value)}];
  if (certain(p)) return found(places, p);
  if (possible(p)) return;
  table_.hold(p.a);
  table_.hold(p.b);
  places.waiting.push_back(p);
  ++waiting_;
  if (places.waiting.size() >= 2 * kKept) thin_out(places);
}

// What is ordered by now goes, and what then has no room.
void Findings::thin_out(Places& places) {
  std::erase_if(places.waiting, [&](const Pair& old) {
    if (!possible(old)) return false;
    drop(old);
    return true;
  });
  for (; places.waiting.size() > kKept; ++places.dropped) {
    drop(places.waiting.back());
    places.waiting.pop_back();
  }
}

void Findings::drop(const Pair& p) {
  table_.let_go(p.a);
  table_.let_go(p.b);
  --waiting_;
}

void Findings::for_each_waiting(const std::function<void(AccessId)>& f) const {
  for (const auto& [key, places] : all_) {
    for (const Pair& p : places.waiting) {
      f(p.a);
      f(p.b);
    }
  }
}

void Findings::conclude() {
  if (waiting_ == 0) return;
  for (auto& [key, places] : all_) {
    for (const Pair& p : std::exchange(places.waiting, {})) {
      if (memory_.overflown()) {
        ++undecided_;
      } else if (!possible(p, true)) {
        found(places, p);
      }
      drop(p);
    }
    // Of those that had no room nobody knows, unless a pair of the same places races anyhow.
    if (!places.found) undecided_ += places.dropped;
    places.dropped = 0;
  }
}

void Findings::found(Places& places, const Pair& p) {
  const Access &a = table_.at(p.a), &b = table_.at(p.b);
  const std::tuple least{world_.process(a.by()).rank.value, world_.process(b.by()).rank.value,
                         std::max(a.region.lo, b.region.lo) - a.base, a.region.lo - a.base};
  if (places.found && places.least <= least) return;
  // How they ended may become known later.
  table_.hold(p.a);
  table_.hold(p.b);
  if (places.found) {
    table_.let_go(places.shown.a);
    table_.let_go(places.shown.b);
  }
  places.found = true;
  places.least = least;
  places.shown = p;
}

void Findings::report() {
  for (auto& [key, places] : all_) {
    if (!places.found) continue;
    sink_.report(report_of(world_, table_.at(places.shown.a), table_.at(places.shown.b)));
    table_.let_go(places.shown.a);
    table_.let_go(places.shown.b);
  }
  all_.clear();
  if (through_memory_)
    sink_.note(
        "one-sided communication: some accesses are in order only if a process saw what another "
        "one had written, as with a lock or a flag in a window; what it saw is not recorded, and "
        "they are taken to be in order");
  if (undecided_ != 0 && !std::exchange(told_undecided_, true))
    sink_.not_checked({.what = "one-sided data races",
                       .reason = "too many places by which processes may have told each other",
                       .count = undecided_});
}

}  // namespace vouch::rma
