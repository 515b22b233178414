#include "shim/access/watched.h"

#include <algorithm>

namespace vouch::shim {

namespace {
// Requests of which it is not clear which of them is complete: so many stay.
constexpr std::uint64_t kMostEntries = 1 << 16;
}  // namespace

void WatchedMemory::add(const Entry& entry) {
  if (entry.high <= entry.low) return;
  if (entries_.size() >= kMostEntries) {
    for (std::uint64_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].reason != Reason::held) continue;
      entries_.erase(i);
      break;
    }
  }
  entries_.push(entry);
  stale_ = true;
  if (!entry.active) return;
  if (high_ == low_) {
    low_ = entry.low;
    high_ = entry.high;
  } else {
    low_ = std::min(low_, entry.low);
    high_ = std::max(high_, entry.high);
  }
}

template <typename Which>
void WatchedMemory::remove(Which which) {
  std::uint64_t active = 0;
  for (std::uint64_t i = 0; i < entries_.size();) {
    if (which(entries_[i])) {
      entries_[i] = entries_[entries_.size() - 1];
      entries_.erase(entries_.size() - 1);
      stale_ = true;
    } else {
      active += entries_[i++].active;
    }
  }
  if (active == 0) low_ = high_ = 0;
}

void WatchedMemory::expose(std::uint64_t window, std::uint64_t low, std::uint64_t high) {
  add({low, high, window, low, Reason::exposed, true, false});
}

void WatchedMemory::detach(std::uint64_t window, std::uint64_t low) {
  bool found = false;
  remove([&](const Entry& e) {
    const bool this_one =
        !found && e.reason == Reason::exposed && e.handle == window && e.other == low;
    found = found || this_one;
    return this_one;
  });
}

void WatchedMemory::use(std::uint64_t window, std::uint64_t target, std::uint64_t low,
                        std::uint64_t high) {
  for (Entry& e : entries_) {  // the same buffer again
    if (e.reason == Reason::used && e.handle == window && e.other == target && e.low <= low &&
        high <= e.high)
      return;
  }
  add({low, high, window, target, Reason::used, true, false});
}

void WatchedMemory::complete_uses(std::uint64_t window, std::uint64_t target) {
  remove([&](const Entry& e) {
    return e.reason == Reason::used && e.handle == window &&
           (target == kAllTargets || e.other == target);
  });
}

void WatchedMemory::free_window(std::uint64_t window) {
  remove([&](const Entry& e) { return e.reason != Reason::held && e.handle == window; });
}

void WatchedMemory::hold(std::uint64_t request, std::uint64_t variable, std::uint64_t low,
                         std::uint64_t high, bool persistent) {
  add({low, high, request, variable, Reason::held, !persistent, persistent});
}

bool WatchedMemory::has_request(std::uint64_t request) {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.reason == Reason::held && e.handle == request;
  });
}

void WatchedMemory::start(std::uint64_t request) {
  for (std::uint64_t i = 0; i < entries_.size(); ++i) {
    Entry e = entries_[i];
    if (e.reason != Reason::held || e.handle != request || e.active) continue;
    e.active = true;
    entries_[i] = entries_[entries_.size() - 1];
    entries_.erase(entries_.size() - 1);
    add(e);
    i = ~std::uint64_t{0};  // from the beginning: they have moved
  }
}

void WatchedMemory::complete(std::uint64_t request, std::uint64_t variable) {
  // Libraries give one handle to many requests that were complete at once.
  std::uint64_t variables = 0;
  const Entry* first = nullptr;
  for (const Entry& e : entries_) {
    if (e.reason != Reason::held || e.handle != request || !e.active) continue;
    variables += first == nullptr || e.other != first->other;
    if (first == nullptr) first = &e;
  }
  const bool by_variable = variables > 1;
  remove([&](Entry& e) {
    if (e.reason != Reason::held || e.handle != request || !e.active) return false;
    if (by_variable && e.other != variable) return false;
    if (e.persistent) {
      e.active = false;
      stale_ = true;
      return false;
    }
    return true;
  });
}

void WatchedMemory::forget(std::uint64_t request) {
  remove([&](const Entry& e) { return e.reason == Reason::held && e.handle == request; });
}

void WatchedMemory::sort() {
  ranges_.clear();
  for (const Entry& e : entries_)
    if (e.active) ranges_.push({e.low, e.high});
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.low < b.low; });
  std::uint64_t kept = 0;
  for (std::uint64_t i = 0; i < ranges_.size(); ++i) {
    if (kept > 0 && ranges_[i].low <= ranges_[kept - 1].high)
      ranges_[kept - 1].high = std::max(ranges_[kept - 1].high, ranges_[i].high);
    else
      ranges_[kept++] = ranges_[i];
  }
  while (ranges_.size() > kept) ranges_.erase(ranges_.size() - 1);
  low_ = kept > 0 ? ranges_[0].low : 0;
  high_ = kept > 0 ? ranges_[kept - 1].high : 0;
  stale_ = false;
}

bool WatchedMemory::meets(std::uint64_t address, std::uint64_t bytes, std::uint64_t& low,
                          std::uint64_t& span) {
  if (stale_) sort();
  const Range* after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](std::uint64_t at, const Range& range) { return at < range.low; });
  const std::uint64_t before = after == ranges_.begin() ? 0 : after[-1].high;
  const std::uint64_t behind = after == ranges_.end() ? ~std::uint64_t{0} : after->low;
  if (address < before || address + bytes > behind) return true;
  // An access that begins in the room must end in it: no element has more bytes than these.
  constexpr std::uint64_t kMostBytes = 16;
  low = before;
  span = behind - before >= kMostBytes ? behind - before - kMostBytes + 1 : 0;
  return false;
}

}  // namespace vouch::shim
