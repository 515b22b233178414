// Order through memory: a flag, a ticket lock, an MCS lock (docs/design/015-one-sided-races.md).
//
// What one process writes so that MPI lets another read it at the same time, may have been read:
// all that was over before that write then lies before all that comes after that read. Who was
// first is not in the records and does not matter: such order is possible unless the read surely
// came before the write. Accesses between which there is possible order are not reported.
//
// One read and one write is kept for each process, place of memory and stretch in which the process
// neither learns of others nor says anything to them: the first read and the last write.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/rma/race/access.h"
#include "analysis/rma/race/order.h"
#include "model/layout.h"

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
  Interval bytes{0, 0};
  std::uint32_t window = 0;  // by which; 0: none
  AccessSort sort;           // atomic
  LockHeld lock;             // lock; views: that is held meanwhile
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

  bool empty() const { return writes_.empty() || reads_.empty(); }
  std::size_t size() const { return writes_.size() + reads_.size(); }
  // Leaves out what can be part of no chain any more: what cannot be reached from these ends, and
  // of reads only those that no write to come can meet, since `known_to_all` have them behind them.
  template <typename F>
  void sweep(const std::vector<AccessEnd>& live, F&& known_to_all) {
    std::vector<bool> keep(reads_.size());
    for (std::size_t r = 0; r < reads_.size(); ++r)
      keep[r] = !known_to_all(reads_[r].at.space, reads_[r].end);
    keep_reachable(live, std::move(keep));
  }
  // Something was left out since too much was kept: who asks gets `true` as an answer.
  bool overflown() const { return overflown_; }

  // Whether what is over by `from` may lie before `to` through memory.
  bool possible(const AccessEnd& from, const Start& to) const;

  // Whether anything at all can come before `to` through memory: all reads that it knows of were
  // told before it was known.
  bool may_reach(const Start& to) const;

  static constexpr std::size_t kMost = 1 << 13;
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
  // What one process writes, or reads, in one memory and stretch, as places in writes_ or reads_.
  struct Group {
    std::vector<std::uint32_t> at;
    bool several = false;  // the last one stands for several locations
  };
  static bool meet(const Write&, const Read&);
  void keep_reachable(const std::vector<AccessEnd>& live, std::vector<bool> reads);
  // Its place in the group, or the one that is to stand for it, or none.
  template <typename V>
  std::uint32_t* place(std::vector<V>&, Group&, const Location&);

  std::vector<Write> writes_;
  std::vector<Read> reads_;
  std::unordered_map<std::uint64_t, Group> write_groups_, read_groups_;
  bool overflown_ = false;
  std::size_t expected_ = 0;
};

}  // namespace vouch::rma
