// Order through memory: a flag, a ticket lock, an MCS lock (docs/design/015-one-sided-races.md).
//
// What one process writes so that MPI lets another read it at the same time, may have been read:
// all that was over before that write then lies before all that comes after that read. Who was
// first is not in the records and does not matter: such order is possible unless the read surely
// came before the write. Accesses between which there is possible order are not reported. A chain
// that comes to a point which surely lies before its own beginning cannot be.
//
// One read and one write is kept for each process, place of memory and stretch in which the process
// neither learns of others nor says anything to them: the first read and the last write.
//
// Misses: a chain that cannot be because of what the call brings by which its first access is over.
//
// What no reader can meet costs nothing: puts of flags are looked at once a process of some window
// has called MPI_Win_sync, locks once one of them is exclusive.

#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/rma/race/access.h"
#include "analysis/rma/race/order.h"
#include "memory/region.h"

namespace vouch::rma {

// By what something may be passed on.
struct Location {
  enum class What : std::uint8_t {
    atomic,  // updates, atomic loads and stores; a put of a flag
    views,   // a process's own view of its memory, by loads and stores
    lock,    // whatever is done under a lock, for those whom it keeps out
  };
  What what = What::atomic;
  std::uint32_t space = 0;
  Region region;
  std::uint32_t window = 0;  // by which; 0: none
  AccessSort sort;           // atomic
  LockHeld lock;             // lock
  bool everywhere = false;   // views: all memory of the window, whosever
  bool synced = false;       // views: by MPI_Win_sync, after whatever was loaded
};

class MemoryOrder {
 public:
  // What the process had over before `start` can be seen by those who read there.
  void wrote(const Location&, const Start& start);
  // Who reads there knows it from `end` on.
  void read(const Location&, const AccessEnd& end);

  // Reads and writes that are to be told once it is known where they are.
  void expect() { ++expected_; }
  void came() { --expected_; }

  // Leaves out what can be part of no chain any more: what cannot be reached from these ends, and
  // of reads only those that no write to come can meet, since `known_to_all` have them behind them.
  template <typename F>
  void sweep(const std::vector<AccessEnd>& live, F&& known_to_all) {
    for (Way& way : ways_) {
      way.keep.assign(way.reads.size(), false);
      for (std::size_t r = 0; r < way.reads.size(); ++r)
        way.keep[r] = !known_to_all(way.reads[r].at.space, way.reads[r].end);
    }
    keep_reachable(live);
  }
  // Something was left out since too much was kept: nobody knows what is ordered.
  bool overflown() const;

  // Whether what is over by `from` may lie before `to` through memory. As long as records are still
  // to come, an order of which not all is known is none.
  bool possible(const AccessEnd& from, const Start& to, bool all_read) const;

  // Whether anything at all can come before `to` through memory: all reads that it knows of were
  // told before it was known.
  bool may_reach(const Start& to) const;

  // Two ends, or two starts, of one process and stretch between which it told others something, or
  // may have learnt something, are not the same.
  bool alike(const AccessEnd& a, const AccessEnd& b) const;
  bool alike(const Start& a, const Start& b) const;

  static constexpr std::size_t kMost = 1 << 13;  // of each way
  // Of one process, memory and stretch; all others count as one.
  static constexpr std::uint32_t kLocations = 64;

 private:
  struct Write {
    Location at;
    Start start;
  };
  struct Read {
    Location at;
    AccessEnd end;
  };
  // What one process writes, or reads, in one memory and stretch, as places in writes or reads.
  using Group = std::vector<std::uint32_t>;
  using Groups = std::unordered_map<std::uint64_t, Group>;
  // How something is passed on. The reads that puts of flags meet are those of `by_memory`.
  enum : std::size_t { by_memory, by_put, by_lock, kWays };
  struct Way {
    std::vector<Write> writes;
    std::vector<Read> reads;
    Groups write_groups, read_groups;
    std::vector<bool> keep;  // of the reads, in a sweep
    bool overflown = false;
  };
  using Ticks = std::unordered_map<std::uint32_t, std::multiset<Tick>>;  // by process

  static std::size_t way_of(const Location&);
  static bool is_between(const Ticks&, std::uint32_t process, Tick first, Tick last);
  Ticks& ticks_of(std::size_t way) { return way == by_put ? puts_at_ : writes_at_; }
  static std::size_t reads_of(std::size_t way) { return way == by_put ? by_memory : way; }
  bool is_used(std::size_t way) const;
  bool meet(const Write&, const Read&) const;
  void keep_reachable(const std::vector<AccessEnd>& live);
  template <typename V>
  static std::uint32_t* place(std::vector<V>&, Group&, const Location&);

  Way ways_[kWays];
  Ticks writes_at_, puts_at_, reads_at_;
  bool synced_ = false, exclusive_ = false;  // somebody has called MPI_Win_sync, has locked so
  std::size_t expected_ = 0;
  mutable RegionTest test_;
};

}  // namespace vouch::rma
