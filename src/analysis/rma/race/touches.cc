// What an instrumented program does to memory by itself: loads, stores and atomic operations, and
// where it sees the parts of a shared window.

#include "analysis/rma/race/races.h"

#include <memory>

#include "event/access.h"
#include "model/layout.h"
#include "model/saturate.h"

namespace vouch {

using rma::Access;
using rma::AccessId;
using rma::Touches;

namespace {

// An update reads and writes: the write is in conflict with all that the read is.
Touches touches_of(wire::AccessKind kind) {
  switch (kind) {
    case wire::AccessKind::read:
      return Touches::load;
    case wire::AccessKind::write:
      return Touches::store;
    case wire::AccessKind::atomic_read:
      return Touches::atomic_load;
    case wire::AccessKind::atomic_write:
    case wire::AccessKind::atomic_update:
      break;
  }
  return Touches::atomic_store;
}

// Rows of elements, as a datatype would have them.
Region region_of(const AccessPattern& a) {
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  Region region;
  region.lo = region.at = number(a.address);
  region.hi = region.lo + number(a.bytes);
  if (a.count == 1 && a.rows == 1) return region;
  const LayoutRef row = loop_of(number(a.count), number(a.step), {0, block_of(number(a.bytes))});
  auto type = std::make_shared<Type>();
  type->layout = loop_of(number(a.rows), number(a.stride), {0, row});
  type->size = type->layout->bytes;
  type->ub = type->true_ub = type->layout->hi;
  region.hi = region.lo + type->layout->hi;
  region.type = std::move(type);
  return region;
}

}  // namespace

void OneSidedRaces::sees_touches(const Process& process) {
  begin();
  state(process).instrumented = true;
}

void OneSidedRaces::touch(Process& process, const Event& record, const Region& region, Touches what,
                          Site site) {
  sees_touches(process);
  place_waiting();
  take_known();
  const auto p = static_cast<std::uint32_t>(process.index);
  Access a;
  a.touch.what = what;
  a.start.process = p;
  a.start.tick = rma::entered(record.seq());
  a.start.knows = clocks_->knowledge(p);
  a.call = record.seq();
  a.site = site;
  a.end = {{p, clocks_->note(p), a.call, Proc::none, site, a.start.knows}, a.start.tick};
  a.at_once = true;
  Region r = region;
  r.writes = writes(a.touch);
  for (const AccessId id : add_own(process, r, a)) {
    const Access& made = table_.at(id);
    // In other processes' memory it counts once it is known where that is (place).
    if (atomic(what) && !made.region.empty() && made.space == p) {
      const rma::Location at = place_of_access(made);
      if (writes(made.touch))
        memory_.wrote(at, made.start);
      else
        memory_.read(at, made.end);
    }
    table_.let_go(id);
  }
}

void OneSidedRaces::on_access(Process& process, const Event& meta) {
  switch (static_cast<wire::Meta>(meta.header().proc)) {
    case wire::Meta::instrumented:
      return sees_touches(process);
    case wire::Meta::exposed: {
      State& s = state(process);
      const Epochs* e = epochs(process, s, meta.word(0));
      const auto owner = static_cast<std::size_t>(meta.word(1));
      if (e == nullptr || e->window == nullptr || e->window->apart ||
          owner >= e->window->memory.size() || static_cast<int>(owner) == e->rank)
        return;
      const auto base = static_cast<std::int64_t>(meta.word(2));
      s.segments[base] = {vouch::add(base, static_cast<std::int64_t>(meta.word(3))), e->window,
                          static_cast<int>(owner)};
      return;
    }
    case wire::Meta::access: {
      AccessPattern pattern;
      if (!unpack(meta.words(), meta.header().words, pattern)) return;
      touch(process, meta, region_of(pattern), touches_of(pattern.kind),
            process.site(pattern.site));
      // The read of an update may have seen what others wrote.
      if (pattern.kind == wire::AccessKind::atomic_update)
        touch(process, meta, region_of(pattern), Touches::atomic_load, process.site(pattern.site));
      return;
    }
    default:
      return;
  }
}

}  // namespace vouch
