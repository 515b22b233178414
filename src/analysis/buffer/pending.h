// Memory that pending operations of one process hold.
//
// Regions are kept by their bounds in two interval trees, one for what is read and one for what is
// written: a reader need not look at other readers. Nodes and operations are pooled, so that
// starting and completing allocates nothing once the program has reached its stride.
//
// Operations are found by the handle of their request. Libraries give the same handle to requests
// that were complete at once (Request::twins) and the program may move handles about, so which of
// them a completion means cannot be known for sure: it releases them all. That can only miss.

#pragma once

#include <cstdint>
#include <vector>

#include "base/flat_map.h"
#include "base/ids.h"
#include "event/proc.h"
#include "memory/interval_tree.h"
#include "memory/region.h"

namespace vouch {

struct PendingOperation {
  std::uint64_t key = 0;
  std::uint32_t older = 0;  // under the same key; 0: none
  bool persistent = false;
  bool partitioned = false;
  bool by_start = false;             // occupied by MPI_Start, `since` is its site
  std::int64_t buffered = 0;         // bytes of a persistent buffered send
  Proc proc = Proc::none;            // that made it
  Site since;                        // of the call that made it pending
  std::uint32_t call = 0;            // and its number
  Site freed;                        // its memory was freed here
  std::vector<Region> regions;       // of a partitioned one: by partition
  std::vector<std::uint32_t> nodes;  // by region, kNone: does not occupy it now
};

class PendingSet {
 public:
  PendingSet() : operations_(1) {}

  bool empty() const { return reads_.empty() && writes_.empty(); }
  bool has_operations() const { return !by_key_.empty(); }

  // A new operation, which does not occupy its regions yet.
  std::uint32_t add(std::uint64_t key, Proc, Site);
  PendingOperation& operation(std::uint32_t i) { return operations_[i]; }
  const PendingOperation& operation(std::uint32_t i) const { return operations_[i]; }
  std::uint32_t newest(std::uint64_t key) {
    const std::uint32_t* found = by_key_.find(key);
    return found == nullptr ? 0 : *found;
  }
  void occupy(std::uint32_t operation, std::size_t region);
  void occupy_all(std::uint32_t operation);
  void leave(std::uint32_t operation, std::size_t region);
  // Complete: nothing with this key occupies memory any more; what is not persistent is forgotten.
  void complete(std::uint64_t key);
  void forget(std::uint64_t key);
  // Every operation that occupies a byte of [lo, hi), which may be changed.
  template <typename F>
  void for_each_in(std::int64_t lo, std::int64_t hi, F&& f) {
    const auto tell = [&](const IntervalTree::Node& n) {
      f(operations_[n.operation], operations_[n.operation].regions[n.region]);
      return true;
    };
    writes_.for_each(lo, hi, tell);
    reads_.for_each(lo, hi, tell);
  }

  // Pending regions in conflict by their bounds: f(operation, region) returns false to stop.
  template <typename F>
  void for_each_conflict(const Region& r, F&& f) const {
    const auto tell = [&](const IntervalTree::Node& n) {
      return f(operations_[n.operation], operations_[n.operation].regions[n.region]);
    };
    if (!writes_.for_each(r.lo, r.hi, tell)) return;
    if (r.writes) reads_.for_each(r.lo, r.hi, tell);
  }

 private:
  void leave_all(std::uint32_t operation);

  IntervalTree reads_, writes_;
  std::vector<PendingOperation> operations_;  // 0 is none
  std::vector<std::uint32_t> unused_;
  FlatMap<std::uint64_t, std::uint32_t> by_key_;  // newest
};

}  // namespace vouch
