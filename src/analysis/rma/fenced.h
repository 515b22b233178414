// Locks of a window that others access by fence.
//
// MPI-4.1 12.5.3: a window may not be locked and exposed at the same time. A fence exposes it where
// a process is the target of data that are moved before the next fence. Fences are collective, so
// the n-th interval between them is the same on all processes, and a lock of a target in an
// interval in which another process moves data to or from it is wrong however the run went.
//
// Not so where the fence says MPI_MODE_NOPRECEDE: it need not be a barrier, and the lock may be
// over before the target calls its fence. What the locking process itself has moved is another
// matter (Epochs).

#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/ids.h"
#include "event/proc.h"

namespace vouch {

class FencedAccesses {
 public:
  static constexpr int kAllTargets = -1;
  struct Use {
    WorldRank rank{};
    Proc proc = Proc::none;  // none: there is none
    Site site;
  };
  struct Conflict {
    Use lock, access;
  };

  // In the n-th interval. The result is a conflict if both uses are there; each is told once.
  Conflict accessed(std::uint64_t interval, int target, const Use& by) {
    Entry& entry = at(interval, target);
    if (entry.access.proc == Proc::none) entry.access = by;
    if (Conflict c = told(entry, entry.lock, by); c.lock.proc != Proc::none) return c;
    const auto all = entries_.find({interval, kAllTargets});
    return all == entries_.end() ? Conflict{} : told(all->second, all->second.lock, by);
  }
  Conflict locked(std::uint64_t interval, int target, const Use& by) {
    Entry& entry = at(interval, target);
    if (entry.lock.proc == Proc::none) entry.lock = by;
    if (target != kAllTargets) return told(entry, by, entry.access);
    for (auto it = entries_.lower_bound({interval, kAllTargets});
         it != entries_.end() && it->first.first == interval; ++it) {
      if (Conflict c = told(it->second, by, it->second.access); c.lock.proc != Proc::none) return c;
    }
    return {};
  }

 private:
  static constexpr std::size_t kKept = 1024;  // beyond that the oldest intervals are forgotten
  struct Entry {
    Use lock, access;
    bool told = false;
  };
  Entry& at(std::uint64_t interval, int target) {
    Entry& entry = entries_[{interval, target}];
    if (entries_.size() > kKept && entries_.begin()->first != std::pair{interval, target})
      entries_.erase(entries_.begin());
    return entry;
  }
  static Conflict told(Entry& entry, const Use& lock, const Use& access) {
    if (entry.told || lock.proc == Proc::none || access.proc == Proc::none ||
        lock.rank.value == access.rank.value)
      return {};
    entry.told = true;
    return {lock, access};
  }

  std::map<std::pair<std::uint64_t, int>, Entry> entries_;  // by interval and target
};

}  // namespace vouch
