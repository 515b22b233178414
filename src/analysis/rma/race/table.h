// The accesses that a later one may still race with, found by the bytes they touch.
//
// An access is dropped once it is over and all who may touch its memory know that. Accesses by one
// place with equal start, end, kind and lock that touch or overlap are one: a sweep over an array
// is one node. Starts, or ends, are equal if their process has learnt nothing, or told nothing, in
// between, by messages or through memory. Who else needs an access holds it (`refs`).

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/rma/race/access.h"
#include "analysis/rma/race/memory_order.h"
#include "analysis/rma/race/order.h"
#include "memory/interval_tree.h"
#include "memory/region.h"

namespace vouch::rma {

struct Access {
  Region region;            // in the owner's addresses
  std::uint32_t space = 0;  // whose memory: a process
  AccessSort touch;
  Start start;
  AccessEnd end;
  ExposureRef exposure;          // whose wait ends it
  bool ends_alone = false;       // by a request: it is not one with others
  bool over_here = false;        // complete at its origin, not at its target
  bool ordered_updates = false;  // of one origin, at the target
  bool one_operation = false;    // its window promises that all updates have one
  bool at_once = false;          // of the process itself, which does nothing else until it is over
  bool transient = false;        // compared, not kept
  bool small = false;            // few enough bytes to be polled, in each of what is one here
  bool own = false;              // nobody else can touch this memory: it is in no window
  LockHeld lock;
  // Of an access by the process itself: when the lock was released, 0: not yet.
  std::shared_ptr<const Tick> released;
  // Of a load of a flag by its owner: the next call of the window was MPI_Win_sync.
  std::shared_ptr<const bool> polls;
  std::uint32_t issued = 0;  // number of the point where it began; 0: not noted
  std::uint32_t window = 0;  // by which it is made; 0: none
  std::int32_t target = -1;  // rank in it
  std::int64_t base = 0;     // of the owner's memory in it
  std::uint32_t call = 0;    // its number in the process
  Proc proc = Proc::none;
  Site site;

  std::uint32_t node = IntervalTree::kNone;
  std::uint32_t refs = 0;
  bool in_tree = false;

  static constexpr std::int64_t kSmall = 8;
  std::uint32_t by() const { return start.process; }
  // Where it is over, as far as that is known.
  AccessEnd ends() const { return end.there() ? end : waited(); }
  // Its target has returned from wait: by then a Get is over, too, whoever knows of its origin.
  AccessEnd waited() const {
    if (exposure == nullptr || !exposure->waited.there()) return {};
    return {exposure->waited, returned(exposure->waited.call)};
  }
  bool over_before(const Start& start) const {
    return behind(start, end) || (exposure != nullptr && behind(start, waited()));
  }
  // Whether its lock is held until it is over.
  bool locked() const {
    return released == nullptr || at_once ||
           (end.there() && (*released == 0 || end.tick <= *released));
  }
  bool may_be_locked() const { return locked() || (!end.there() && *released == 0); }
};

using AccessId = std::uint32_t;

class AccessTable {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 19;

  explicit AccessTable(const MemoryOrder& memory) : memory_(memory), pool_(1) {}
  AccessId make(Access&&);  // held once by the caller
  // All that meet its bounds, and write if it does not; f(id, access).
  template <typename F>
  void for_each_met(const Access& a, F&& f) {
    const auto tell = [&](const IntervalTree::Node& n) {
      f(n.operation, pool_[n.operation]);
      return true;
    };
    Space& s = space(a.space);
    s.writes.for_each(a.region.lo, a.region.hi, tell);
    if (writes(a.touch)) s.reads.for_each(a.region.lo, a.region.hi, tell);
  }
  // Into the tree, or one with another one there.
  void insert(AccessId);
  Access& at(AccessId id) { return pool_[id]; }
  const Access& at(AccessId id) const { return pool_[id]; }
  void hold(AccessId id) { ++pool_[id].refs; }
  void let_go(AccessId id);
  // It is over and in the tree: it may become one with others like it.
  void ended(AccessId);
  void remove(AccessId);  // from the tree
  template <typename F>
  void for_each(F&& f) {
    for (AccessId id = 1; id < pool_.size(); ++id) {
      if (pool_[id].in_tree) f(id, pool_[id]);
    }
  }
  std::size_t live() const { return live_; }

 private:
  struct Space {
    IntervalTree reads, writes;
  };
  Space& space(std::uint32_t process) {
    if (process >= spaces_.size()) spaces_.resize(process + 1);
    return spaces_[process];
  }
  IntervalTree& tree(const Access& a) {
    return writes(a.touch) ? space(a.space).writes : space(a.space).reads;
  }
  AccessId like(AccessId, AccessId (&near)[2]);
  bool take_in(AccessId, AccessId (&near)[2]);

  const MemoryOrder& memory_;
  std::vector<Access> pool_;  // 0 is none
  std::vector<AccessId> unused_;
  std::vector<Space> spaces_;
  std::size_t live_ = 0;
};

}  // namespace vouch::rma
