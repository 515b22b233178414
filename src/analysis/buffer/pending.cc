#include "analysis/buffer/pending.h"

#include <algorithm>

namespace vouch {

std::uint32_t PendingSet::add(std::uint64_t key, Proc proc, Site since) {
  std::uint32_t i;
  if (unused_.empty()) {
    i = static_cast<std::uint32_t>(operations_.size());
    operations_.emplace_back();
  } else {
    i = unused_.back();
    unused_.pop_back();
  }
  PendingOperation& o = operations_[i];
  std::uint32_t& newest = by_key_[key];
  o.key = key;
  o.older = newest;
  o.persistent = o.partitioned = o.by_start = false;
  o.buffered = 0;
  o.proc = proc;
  o.since = since;
  o.freed = {};
  newest = i;
  return i;
}

void PendingSet::occupy(std::uint32_t operation, std::size_t region) {
  PendingOperation& o = operations_[operation];
  while (o.nodes.size() <= region) o.nodes.push_back(IntervalTree::kNone);
  const Region& r = o.regions[region];
  if (o.nodes[region] != IntervalTree::kNone || r.empty()) return;
  o.nodes[region] = (r.writes ? writes_ : reads_)
                        .insert(r.lo, r.hi, operation, static_cast<std::uint32_t>(region));
}

void PendingSet::occupy_all(std::uint32_t operation) {
  for (std::size_t i = 0; i < operations_[operation].regions.size(); ++i) occupy(operation, i);
}

void PendingSet::leave(std::uint32_t operation, std::size_t region) {
  PendingOperation& o = operations_[operation];
  if (region >= o.nodes.size() || o.nodes[region] == IntervalTree::kNone) return;
  (o.regions[region].writes ? writes_ : reads_).erase(o.nodes[region]);
  o.nodes[region] = IntervalTree::kNone;
}

void PendingSet::leave_all(std::uint32_t operation) {
  for (std::size_t i = 0; i < operations_[operation].nodes.size(); ++i) leave(operation, i);
}

void PendingSet::complete(std::uint64_t key) {
  std::uint32_t newest = 0, kept = 0;
  if (!by_key_.take(key, newest)) return;
  for (std::uint32_t i = newest; i != 0;) {
    leave_all(i);
    PendingOperation& o = operations_[i];
    const std::uint32_t older = o.older;
    if (o.persistent) {
      o.older = kept;
      kept = i;
    } else {
      o.regions.clear();
      o.nodes.clear();
      unused_.push_back(i);
    }
    i = older;
  }
  if (kept != 0) by_key_[key] = kept;
}

void PendingSet::forget(std::uint64_t key) {
  for (std::uint32_t i = newest(key); i != 0; i = operations_[i].older)
    operations_[i].persistent = false;
  complete(key);
}

}  // namespace vouch
