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
std::uint64_t group_key(const Location& at, std::uint32_t process, const Moment* moment) {
  return group_key(at, process, reinterpret_cast<std::uintptr_t>(moment));
}

// The earliest points reached so far, by process.
struct Reached {
  std::uint32_t process;
  std::uint32_t number;
  Tick tick;
};

void reach(std::vector<Reached>& all, const AccessEnd& end) {
  for (Reached& r : all) {
    if (r.process != end.point.process) continue;
    r.number = std::min(r.number, end.point.number);
    r.tick = std::min(r.tick, end.tick);
    return;
  }
  all.push_back({end.point.process, end.point.number, end.tick});
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

}  // namespace

// Its place among those of a group. Where there are too many locations, the last one grows.
template <typename V>
std::uint32_t* MemoryOrder::place(std::vector<V>& all, Group& group, const Location& at) {
  for (std::uint32_t& i : group.at) {
    if (all[i].at.bytes == at.bytes) return &i;
  }
  if (group.at.size() < kLocations) return nullptr;
  V& last = all[group.at.back()];
  group.several = true;
  last.at.bytes.lo = std::min(last.at.bytes.lo, at.bytes.lo);
  last.at.bytes.hi = std::max(last.at.bytes.hi, at.bytes.hi);
  return &group.at.back();
}

void MemoryOrder::wrote(const Location& at, const Start& start) {
  const std::uint64_t key = group_key(at, start.process, start.knows.get());
  Group& group = write_groups_[key];
  if (const std::uint32_t* i = place(writes_, group, at)) {
    Write& w = writes_[*i];
    w.start.tick = std::max(w.start.tick, start.tick);
    return;
  }
  if (size() >= kMost) {
    overflown_ = true;
    return;
  }
  group.at.push_back(static_cast<std::uint32_t>(writes_.size()));
  writes_.push_back({at, start});
}

void MemoryOrder::read(const Location& at, const AccessEnd& end) {
  Group& group = read_groups_[group_key(at, end.point.process, end.point.number)];
  if (place(reads_, group, at) != nullptr) return;
  if (size() >= kMost) {
    overflown_ = true;
    return;
  }
  group.at.push_back(static_cast<std::uint32_t>(reads_.size()));
  reads_.push_back({at, end});
}

bool MemoryOrder::may_reach(const Start& to) const {
  return overflown_ || expected_ != 0 ||
         std::any_of(reads_.begin(), reads_.end(),
                     [&](const Read& r) { return behind(to, r.end); });
}

void MemoryOrder::keep_reachable(const std::vector<AccessEnd>& live, std::vector<bool> reads) {
  std::vector<Reached> reached;
  for (const AccessEnd& end : live) reach(reached, end);
  for (std::size_t r = 0; r < reads_.size(); ++r) {
    if (reads[r]) reach(reached, reads_[r].end);
  }
  std::vector<bool> writes(writes_.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t w = 0; w < writes_.size(); ++w) {
      if (writes[w] || (writes_[w].start.known() && !behind_any(writes_[w].start, reached)))
        continue;
      writes[w] = more = true;
      for (std::size_t r = 0; r < reads_.size(); ++r) {
        if (reads[r] || !meet(writes_[w], reads_[r])) continue;
        reads[r] = true;
        reach(reached, reads_[r].end);
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
  drop(writes_, writes);
  drop(reads_, reads);
  if (writes_.empty() && reads_.empty()) overflown_ = false;
  write_groups_.clear();
  read_groups_.clear();
  for (std::uint32_t i = 0; i < writes_.size(); ++i) {
    const Write& w = writes_[i];
    write_groups_[group_key(w.at, w.start.process, w.start.knows.get())].at.push_back(i);
  }
  for (std::uint32_t i = 0; i < reads_.size(); ++i) {
    const Read& r = reads_[i];
    read_groups_[group_key(r.at, r.end.point.process, r.end.point.number)].at.push_back(i);
  }
}

bool MemoryOrder::meet(const Write& w, const Read& r) {
  using What = Location::What;
  if (w.start.process == r.end.point.process) return false;
  if (w.at.what == What::lock) {
    if (r.at.what == What::atomic || !exclude(w.at.lock, r.at.lock)) return false;
  } else {
    const bool anywhere = w.at.everywhere || r.at.everywhere;
    if (r.at.what == What::lock) return false;
    if (!anywhere && (w.at.space != r.at.space || w.at.bytes.lo >= r.at.bytes.hi ||
                      r.at.bytes.lo >= w.at.bytes.hi))
      return false;
    if (w.at.window != 0 && r.at.window != 0 && w.at.window != r.at.window) return false;
    if (w.at.sort.what == Touches::target_write && !r.at.synced) return false;
    const bool both = w.at.what == What::atomic && r.at.what == What::atomic &&
                      w.at.sort.what == Touches::update && r.at.sort.what == Touches::update;
    if (both && !together(w.at.sort, r.at.sort)) return false;
  }
  return !behind(w.start, r.end);
}

bool MemoryOrder::possible(const AccessEnd& from, const Start& to) const {
  if (!from.there()) return false;
  if (overflown_) return true;
  if (empty()) return false;
  std::vector<Reached> reached;
  reach(reached, from);
  std::vector<bool> told(writes_.size()), seen(reads_.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t w = 0; w < writes_.size(); ++w) {
      // While it is not known what lies before a write, a read may surely come before it.
      if (told[w] || !writes_[w].start.known() || !behind_any(writes_[w].start, reached)) continue;
      told[w] = true;
      for (std::size_t r = 0; r < reads_.size(); ++r) {
        if (seen[r] || !meet(writes_[w], reads_[r])) continue;
        if (behind(to, reads_[r].end)) return true;
        seen[r] = true;
        reach(reached, reads_[r].end);
        more = true;
      }
    }
  }
  return false;
}

}  // namespace vouch::rma
