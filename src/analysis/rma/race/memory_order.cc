#include "analysis/rma/race/memory_order.h"

#include <algorithm>

#include "base/flat_map.h"

namespace vouch::rma {
namespace {

// Of those that only differ in their bytes. `stretch`: the moment, or the number of the point.
std::uint64_t group_key(const Location& at, std::uint32_t process, std::uint64_t stretch) {
  const auto join = [](std::uint64_t a, std::uint64_t b) { return scatter(a ^ scatter(b + 1)); };
  const std::uint64_t who = (std::uint64_t{at.space} << 32) | process;
  const std::uint64_t lock = (std::uint64_t{at.lock.window} << 32) |
                             (static_cast<std::uint32_t>(at.lock.target) << 1) |
                             static_cast<std::uint64_t>(at.lock.exclusive);
  const std::uint64_t sort = (static_cast<std::uint64_t>(at.sort.what) << 48) |
                             (static_cast<std::uint64_t>(at.sort.op) << 24) |
                             (static_cast<std::uint64_t>(at.sort.basic) << 2) |
                             (static_cast<std::uint64_t>(at.everywhere) << 63) |
                             (static_cast<std::uint64_t>(at.synced) << 62) |
                             static_cast<std::uint64_t>(at.what);
  return join(join(join(join(who, stretch), lock), sort), at.window);
}
std::uint64_t group_key(const Location& at, const Start& start) {
  return group_key(at, start.process, reinterpret_cast<std::uintptr_t>(start.knows.get()));
}
std::uint64_t group_key(const Location& at, const AccessEnd& end) {
  return group_key(at, end.point.process, end.point.number);
}

bool same_bytes(const Region& a, const Region& b) {
  return a.lo == b.lo && a.hi == b.hi && a.type == b.type && a.n == b.n;
}

// The earliest points reached so far, by process.
struct Reached {
  std::uint32_t process;
  std::uint32_t number;
  Tick tick;
};

bool reach(std::vector<Reached>& all, const AccessEnd& end) {
  for (Reached& r : all) {
    if (r.process != end.point.process) continue;
    if (r.number <= end.point.number && r.tick <= end.tick) return false;
    r.number = std::min(r.number, end.point.number);
    r.tick = std::min(r.tick, end.tick);
    return true;
  }
  all.push_back({end.point.process, end.point.number, end.tick});
  return true;
}

bool behind_any(const Start& start, const std::vector<Reached>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Reached& r) {
    AccessEnd end;
    end.point.process = r.process;
    end.point.number = r.number;
    end.tick = r.tick;
    return behind(start, end);
  });
}

// Both of ends that are there; the knowledge of the later one is known, or nothing is sure.
bool surely_before(const AccessEnd& a, const AccessEnd& b) {
  if (a.point.process == b.point.process) return a.tick <= b.tick;
  const MomentRef& knows = b.point.knows;
  return knows && knows->known() && knows->knows(a.point.process, a.point.number);
}

}  // namespace

std::size_t MemoryOrder::way_of(const Location& at) {
  if (at.what == Location::What::lock) return by_lock;
  return at.what == Location::What::atomic && at.sort.what == Touches::target_write ? by_put
                                                                                    : by_memory;
}

// Whether any of its writes can meet a read.
bool MemoryOrder::is_used(std::size_t way) const {
  return way == by_put ? synced_ : way == by_lock ? exclusive_ : true;
}

bool MemoryOrder::overflown() const {
  for (std::size_t way = 0; way < kWays; ++way) {
    if (ways_[way].overflown && is_used(way)) return true;
  }
  return false;
}

// Its place among those of a group. Where there are too many locations, the last one grows.
template <typename V>
std::uint32_t* MemoryOrder::place(std::vector<V>& all, Group& group, const Location& at) {
  for (std::uint32_t& i : group) {
    if (same_bytes(all[i].at.region, at.region)) return &i;
  }
  if (group.size() < kLocations) return nullptr;
  Region& last = all[group.back()].at.region;
  last.lo = std::min(last.lo, at.region.lo);
  last.hi = std::max(last.hi, at.region.hi);
  last.type.reset();
  return &group.back();
}

void MemoryOrder::wrote(const Location& at, const Start& start) {
  const std::size_t by = way_of(at);
  Way& way = ways_[by];
  exclusive_ = exclusive_ || (at.what == Location::What::lock && at.lock.exclusive);
  std::multiset<Tick>& ticks = ticks_of(by)[start.process];
  Group& group = way.write_groups[group_key(at, start)];
  if (const std::uint32_t* i = place(way.writes, group, at)) {
    Tick& last = way.writes[*i].start.tick;
    if (start.tick <= last) return;
    auto moved = ticks.extract(ticks.find(last));
    moved.value() = last = start.tick;
    ticks.insert(std::move(moved));
    return;
  }
  if (way.writes.size() >= kMost) {
    way.overflown = true;
    return;
  }
  group.push_back(static_cast<std::uint32_t>(way.writes.size()));
  way.writes.push_back({at, start});
  ticks.insert(start.tick);
}

void MemoryOrder::read(const Location& at, const AccessEnd& end) {
  Way& way = ways_[reads_of(way_of(at))];
  exclusive_ = exclusive_ || (at.what == Location::What::lock && at.lock.exclusive);
  synced_ = synced_ || at.synced;
  Group& group = way.read_groups[group_key(at, end)];
  if (place(way.reads, group, at) != nullptr) return;
  if (way.reads.size() >= kMost) {
    way.overflown = true;
    return;
  }
  group.push_back(static_cast<std::uint32_t>(way.reads.size()));
  way.reads.push_back({at, end});
  reads_at_[end.point.process].insert(end.tick);
}

bool MemoryOrder::may_reach(const Start& to) const {
  if (overflown() || expected_ != 0) return true;
  for (const Way& way : ways_) {
    if (std::any_of(way.reads.begin(), way.reads.end(),
                    [&](const Read& r) { return behind(to, r.end); }))
      return true;
  }
  return false;
}

bool MemoryOrder::is_between(const Ticks& all, std::uint32_t process, Tick first, Tick last) {
  const auto found = all.find(process);
  if (found == all.end()) return false;
  const auto next = found->second.lower_bound(first);
  return next != found->second.end() && *next <= last;
}

bool MemoryOrder::alike(const AccessEnd& a, const AccessEnd& b) const {
  if (a.tick == b.tick) return true;
  if (expected_ != 0) return false;
  const Tick first = std::min(a.tick, b.tick), last = std::max(a.tick, b.tick) - 1;
  const std::uint32_t by = a.point.process;
  return !is_between(writes_at_, by, first, last) &&
         !(synced_ && is_between(puts_at_, by, first, last));
}

bool MemoryOrder::alike(const Start& a, const Start& b) const {
  if (a.tick == b.tick) return true;
  return expected_ == 0 &&
         !is_between(reads_at_, a.process, std::min(a.tick, b.tick) + 1, std::max(a.tick, b.tick));
}

void MemoryOrder::keep_reachable(const std::vector<AccessEnd>& live) {
  std::vector<Reached> reached;
  for (const AccessEnd& end : live) reach(reached, end);
  std::vector<bool> writes[kWays];
  for (std::size_t w = 0; w < kWays; ++w) writes[w].resize(ways_[w].writes.size());
  for (const Way& way : ways_) {
    for (std::size_t r = 0; r < way.reads.size(); ++r) {
      if (way.keep[r]) reach(reached, way.reads[r].end);
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t by = 0; by < kWays; ++by) {
      const Way& way = ways_[by];
      Way& to = ways_[reads_of(by)];
      for (std::size_t w = 0; w < way.writes.size(); ++w) {
        const Start& start = way.writes[w].start;
        if (writes[by][w] || (start.known() && !behind_any(start, reached))) continue;
        writes[by][w] = true;
        if (!is_used(by)) continue;
        for (std::size_t r = 0; r < to.reads.size(); ++r) {
          if (to.keep[r] || !meet(way.writes[w], to.reads[r])) continue;
          to.keep[r] = true;
          more = reach(reached, to.reads[r].end) || more;
        }
      }
    }
  }
  const auto drop = [](auto& all, const std::vector<bool>& keep) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!keep[i]) continue;
      if (n != i) all[n] = std::move(all[i]);
      ++n;
    }
    all.resize(n);
  };
  writes_at_.clear();
  puts_at_.clear();
  reads_at_.clear();
  for (std::size_t by = 0; by < kWays; ++by) {
    Way& way = ways_[by];
    drop(way.writes, writes[by]);
    drop(way.reads, way.keep);
    if (way.writes.empty() && ways_[reads_of(by)].reads.empty()) way.overflown = false;
    way.write_groups.clear();
    way.read_groups.clear();
    for (std::uint32_t i = 0; i < way.writes.size(); ++i) {
      const Write& w = way.writes[i];
      way.write_groups[group_key(w.at, w.start)].push_back(i);
      ticks_of(by)[w.start.process].insert(w.start.tick);
    }
    for (std::uint32_t i = 0; i < way.reads.size(); ++i) {
      const Read& r = way.reads[i];
      way.read_groups[group_key(r.at, r.end)].push_back(i);
      reads_at_[r.end.point.process].insert(r.end.tick);
    }
  }
}

bool MemoryOrder::meet(const Write& w, const Read& r) const {
  using What = Location::What;
  if (w.start.process == r.end.point.process) return false;
  if (w.at.what == What::lock) {
    if (!exclude(w.at.lock, r.at.lock)) return false;
  } else {
    const bool anywhere = w.at.everywhere || r.at.everywhere;
    if (!anywhere && (w.at.space != r.at.space || !bounds_meet(w.at.region, r.at.region)))
      return false;
    if (w.at.window != 0 && r.at.window != 0 && w.at.window != r.at.window) return false;
    if (w.at.sort.what == Touches::target_write && !r.at.synced) return false;
    // A view has all bytes within its bounds.
    if (w.at.what == What::atomic && r.at.what == What::atomic) {
      const bool both = w.at.sort.what == Touches::update && r.at.sort.what == Touches::update;
      if (both && !together(w.at.sort, r.at.sort)) return false;
      if (test_.meet(w.at.region, r.at.region) == Overlap::no) return false;
    }
  }
  return !behind(w.start, r.end);
}

bool MemoryOrder::possible(const AccessEnd& from, const Start& to, bool all_read) const {
  if (!from.there()) return false;
  if (overflown()) return true;
  const MomentRef& knows = from.point.knows;
  if (!all_read && knows && !knows->known()) return false;
  std::vector<Reached> reached;
  reach(reached, from);
  std::vector<bool> told[kWays], seen[kWays];
  for (std::size_t w = 0; w < kWays; ++w) {
    if (!is_used(w)) continue;
    told[w].resize(ways_[w].writes.size());
    seen[reads_of(w)].resize(ways_[reads_of(w)].reads.size());
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t by = 0; by < kWays; ++by) {
      const Way& way = ways_[by];
      const Way& others = ways_[reads_of(by)];
      if (!is_used(by) || others.reads.empty()) continue;
      for (std::size_t w = 0; w < way.writes.size(); ++w) {
        // While it is not known what lies before a write, a read may surely come before it.
        const Start& start = way.writes[w].start;
        if (told[by][w] || !start.known() || !behind_any(start, reached)) continue;
        told[by][w] = true;
        for (std::size_t r = 0; r < others.reads.size(); ++r) {
          if (seen[reads_of(by)][r] || !meet(way.writes[w], others.reads[r])) continue;
          seen[reads_of(by)][r] = true;
          const AccessEnd& end = others.reads[r].end;
          if (surely_before(end, from)) continue;
          if (behind(to, end)) return true;
          more = reach(reached, end) || more;
        }
      }
    }
  }
  return false;
}

}  // namespace vouch::rma
