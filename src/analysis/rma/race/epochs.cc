// What windows' calls do to accesses: which they make, which they complete.

#include <algorithm>
#include <utility>

#include "analysis/rma/race/races.h"

namespace vouch {
namespace {

using rma::AccessEnd;
using rma::AccessId;
using rma::AccessSort;
using rma::Touches;

const Type* basic_of(const Type* type) {
  while (type != nullptr && type->named == Constant::none)
    type = type->types.empty() ? nullptr : type->types[0].get();
  return type;
}

AccessSort touch_at_target(const WindowAct& act) {
  AccessSort t;
  t.what = act.call->accumulates ? Touches::update
           : act.call->gets      ? Touches::target_read
                                 : Touches::target_write;
  if (t.what != Touches::update) return t;
  t.op = act.op;
  const Type* basic = basic_of(act.at_target.type.get());
  if (basic == nullptr) return t;
  t.basic = basic->named;
  const bool one_piece = basic->layout != nullptr && basic->layout->what == Layout::What::block;
  if (one_piece && basic->size == basic->extent())
    t.element = static_cast<std::int32_t>(basic->size);
  return t;
}

}  // namespace

bool OneSidedRaces::in_shared_memory(const Epochs& e) {
  return e.window != nullptr && e.window->flavour == Proc::win_allocate_shared;
}

OneSidedRaces::Epochs* OneSidedRaces::epochs(const Process& process, State& s, std::uint64_t raw) {
  const SharedWindows::Handle* handle =
      windows_->find(static_cast<std::uint32_t>(process.index), raw);
  if (handle == nullptr) return nullptr;
  Epochs& e = s.windows[raw];
  if (e.window != handle->window || e.rank != handle->rank) {
    e = {};
    e.window = handle->window;
    e.rank = handle->rank;
  }
  return &e;
}

rma::LockHeld OneSidedRaces::lock_of(const Epochs& e, int target) {
  if (e.window == nullptr) return {};
  if (e.all) return {e.window->number, target, false};
  const auto lock = e.locks.find(target);
  if (lock == e.locks.end()) return {};
  return {e.window->number, target, lock->second.exclusive};
}

// What the process itself does to memory of the target: its own, or a part of a shared window.
void OneSidedRaces::put_under_lock(rma::Access& a, const Epochs& e, int target) {
  a.lock = lock_of(e, target);
  if (a.lock.window == 0) return;
  a.released = e.all ? e.of_all.released : e.locks.at(target).released;
}

// What it has pending there is as if it had never been.
void OneSidedRaces::lose(Epochs& e) {
  e.lost = true;
  for (Operation& o : e.operations) {
    o.origins.push_back(o.at_target);
    for (const AccessId id : o.origins) {
      if (id == 0) continue;
      if (table_.at(id).in_tree) table_.remove(id);
      table_.let_go(id);
    }
  }
  e.operations.clear();
}

// ---- Calls ----
void OneSidedRaces::enter_window(Process& process, Call& call, const WindowAct& act) {
  State& s = state(process);
  Epochs* e = epochs(process, s, act.window);
  if (e == nullptr) return;
  if (e->polls != nullptr) *std::exchange(e->polls, nullptr) = act.deed == WindowDeed::sync;
  if (e->lost) return;
  if (ignored(process, call)) {
    if (changes_epochs(act.deed)) lose(*e);
    return;
  }
  switch (act.deed) {
    case WindowDeed::move:
      if (!act.nobody) move(process, call, act, *e);
      return;
    case WindowDeed::fence:
      // Its barrier lets all others know; what only opens has nothing to complete.
      if (!act.no_precede && !e->operations.empty())
        complete(process, *e, WindowAct::kAllTargets, false, end_here(process, call, false),
                 call.seq());
      return;
    default:
      return;
  }
}

void OneSidedRaces::leave_window(Process& process, Call& call, const Event& leave,
                                 const WindowAct& act) {
  State& s = state(process);
  if (act.deed == WindowDeed::query) return query(process, call, leave, act);
  if (act.deed == WindowDeed::free) {
    const auto mine = s.windows.find(act.window);
    if (leave.error_class() != 0 || mine == s.windows.end()) return;
    const SharedWindowRef window = mine->second.window;
    s.windows.erase(mine);
    // Its addresses may be other memory from here on.
    std::erase_if(s.segments, [&](const auto& segment) { return segment.second.window == window; });
    // The last process leaves the last window.
    if (window != nullptr && windows_->live() == 1 && window->gone + 1 == window->members->size)
      findings_.conclude();
    return sweep();
  }
  Epochs* e = epochs(process, s, act.window);
  if (e == nullptr || e->lost || act.nobody) return;
  if (leave.error_class() != 0) {
    if (changes_epochs(act.deed)) lose(*e);
    return;
  }
  const auto target = static_cast<int>(act.target);
  const bool mine = act.target == e->rank || act.target == WindowAct::kAllTargets;
  switch (act.deed) {
    case WindowDeed::lock:
      e->locks[target] = {act.exclusive && !act.no_check, std::make_shared<rma::Tick>(0), {}};
      if (in_shared_memory(*e)) see_lock(*e, target, end_here(process, call, true));
      if (!mine) return;
      return see_by_loads(process, call, *e, false);
    case WindowDeed::lock_all:
      e->all = true;
      e->of_all = {false, std::make_shared<rma::Tick>(0), {}};
      if (in_shared_memory(*e)) see_lock(*e, rma::kAll, end_here(process, call, true));
      return see_by_loads(process, call, *e, false);
    case WindowDeed::unlock:
    case WindowDeed::unlock_all: {
      complete(process, *e, act.target, false, end_here(process, call, true), call.seq());
      if (mine) see_by_loads(process, call, *e, false);
      rma::LockHeld held = lock_of(*e, target);
      if (act.deed == WindowDeed::unlock_all) held.target = rma::kAll;
      const auto lock = e->locks.find(target);
      if (lock != e->locks.end()) *lock->second.released = rma::returned(call.seq());
      if (act.deed == WindowDeed::unlock_all) {
        if (e->all) *e->of_all.released = rma::returned(call.seq());
        e->all = false;
      }
      e->locks.erase(target);
      return publish_lock(process, call, held);
    }
    case WindowDeed::complete:
      if (!e->operations.empty())
        complete(process, *e, WindowAct::kAllTargets, true, end_here(process, call, true),
                 call.seq());
      // What is left ends by the wait of its target.
      for (Operation& o : std::exchange(e->operations, {})) {
        if (o.at_target != 0) table_.let_go(o.at_target);
      }
      return;
    case WindowDeed::flush:
    case WindowDeed::flush_all:
      complete(process, *e, act.target, act.call->local, end_here(process, call, true), call.seq());
      if (mine && !act.call->local) see_by_loads(process, call, *e, false);
      return;
    case WindowDeed::sync:
      return see_by_loads(process, call, *e, true);
    default:
      return;
  }
}

// ---- Moving data ----
void OneSidedRaces::move(Process& process, Call& call, const WindowAct& act, Epochs& e) {
  State& s = state(process);
  const auto p = static_cast<std::uint32_t>(process.index);
  s.moved = true;
  if (e.window == nullptr)
    return not_judged("the processes of the window are not known", call.site());
  if (e.window->apart)
    return not_judged("the processes of the window are on several nodes", call.site());
  if ((act.origin.there && act.origin.type == nullptr) ||
      (act.at_target.there && act.at_target.type == nullptr))
    return not_judged("the datatype is not known", call.site());
  const auto target = static_cast<int>(act.target);
  Operation o;
  o.call = call.seq();
  o.target = target;
  o.gets = act.call->gets;
  o.fetches = act.fetches();
  rma::Access base = access_of(process, call, {});
  base.window = e.window->number;
  base.target = target;
  base.lock = lock_of(e, target);
  base.ends_alone = act.call->requests;
  if (base.lock.window == 0) base.exposure = exposures_->open_at(p, act.window, target);
  const auto own = [&](const MovedSide& side, bool writes) {
    if (!side.there) return;
    rma::Access a = base;
    a.window = 0;
    a.target = target;
    a.exposure = nullptr;
    a.lock = {};
    a.touch.what = writes ? Touches::origin_write : Touches::origin_read;
    Region r = region_of(side.type, static_cast<std::int64_t>(side.address), side.count);
    r.writes = writes;
    for (const AccessId id : add_own(process, r, a)) o.origins.push_back(id);
  };
  own(act.origin, o.gets);
  own(act.compare, false);
  own(act.result, true);
  if (act.at_target.there) {
    base.touch = touch_at_target(act);
    base.ordered_updates = e.window->orders_updates;
    base.one_operation = e.window->one_operation;
    if (base.exposure != nullptr)
      base.start.exposed = base.exposure->posted.moment;
    else if (base.lock.window == 0)
      base.start.exposed = exposures_->fence_of(p, act.window, target);
    const AccessId id = table_.make(std::move(base));
    o.at_target = id;
    table_.hold(id);
    Unplaced u;
    u.id = id;
    u.window = e.window;
    u.owner = target;
    u.disp = static_cast<std::int64_t>(act.at_target.address);
    u.count = act.at_target.count;
    u.type = act.at_target.type;
    place_or_wait(std::move(u));
  }
  e.operations.push_back(std::move(o));
}

// ---- Completing ----
void OneSidedRaces::over_origin(Operation& o, const AccessEnd& over) {
  for (const AccessId id : std::exchange(o.origins, {})) {
    end(id, over);
    table_.let_go(id);
  }
  if (std::exchange(o.over_here, true)) return;
  // What has come back was read at the target.
  if (o.fetches && o.at_target != 0) read_memory(o.at_target, over);
}

void OneSidedRaces::over_target(Operation& o, const AccessEnd& over) {
  if (o.at_target == 0) return;
  const AccessId id = std::exchange(o.at_target, 0);
  end(id, over);
  table_.let_go(id);
}

// Operations on this target, or all, that were called before.
void OneSidedRaces::complete(Process&, Epochs& e, std::int64_t target, bool local,
                             const AccessEnd& over, std::uint32_t before) {
  std::erase_if(e.operations, [&](Operation& o) {
    if ((target != WindowAct::kAllTargets && o.target != target) || o.call >= before) return false;
    over_origin(o, over);
    if (!local || o.fetches) see_lock(e, o.target, over);
    if (!local || o.gets) {
      over_target(o, over);
    } else if (o.at_target != 0) {
      table_.at(o.at_target).over_here = true;
    }
    return !local || o.at_target == 0;
  });
}

void OneSidedRaces::complete_request(Process& process, std::uint32_t call, const AccessEnd& over) {
  for (auto& [raw, e] : state(process).windows) {
    for (Operation& o : e.operations) {
      if (o.call != call) continue;
      over_origin(o, over);
      if (o.fetches) see_lock(e, o.target, over);
      if (o.gets)
        over_target(o, over);
      else if (o.at_target != 0)
        table_.at(o.at_target).over_here = true;
      return;
    }
  }
}

// ---- Order through memory ----
// Whatever was done under a lock happens before what others do under a lock that it keeps out, and
// so was granted later.
void OneSidedRaces::publish_lock(const Process& process, const Call& call,
                                 const rma::LockHeld& lock) {
  if (lock.window == 0) return;
  const auto p = static_cast<std::uint32_t>(process.index);
  rma::Location at;
  at.what = rma::Location::What::lock;
  at.window = lock.window;
  at.lock = lock;
  memory_.wrote(at, {p, rma::returned(call.seq()), clocks_->knowledge(p), {}});
}

// The lock was granted: an operation under it is over, or it lets the process load and store. What
// shows it later shows nothing new.
void OneSidedRaces::see_lock(Epochs& e, int target, const AccessEnd& over) {
  const rma::LockHeld lock = lock_of(e, target);
  if (lock.window == 0) return;
  Lock& held = e.all ? e.of_all : e.locks.at(target);
  if (!held.shown.insert(target).second) return;
  rma::Location at;
  at.what = rma::Location::What::lock;
  at.space = e.window->of(target == rma::kAll ? e.rank : target).process;
  at.window = lock.window;
  at.lock = lock;
  memory_.read(at, over);
}

// It has fetched what lies there.
void OneSidedRaces::read_memory(AccessId id, const AccessEnd& over) {
  const rma::Access& a = table_.at(id);
  if (a.touch.what != Touches::update) return;
  if (a.region.empty()) {
    for (Unplaced& u : unplaced_) {
      if (u.id == id) u.reads.push_back(over);
    }
    return;
  }
  memory_.read(place_of_access(a), over);
}

rma::Location OneSidedRaces::place_of_access(const rma::Access& a) {
  rma::Location at;
  at.space = a.space;
  at.region = a.region;
  at.window = one_sided(a.touch.what) ? a.window : 0;
  at.sort = a.touch;
  return at;
}

// From here on the process sees by loads what is in its part of the window, and in a shared one in
// all of it.
void OneSidedRaces::see_by_loads(const Process& process, const Call& call, Epochs& e,
                                 bool by_sync) {
  if (e.window == nullptr || e.window->apart) return;
  const auto p = static_cast<std::uint32_t>(process.index);
  const AccessEnd over = end_here(process, call, true);
  const rma::Start start{p, rma::returned(call.seq()), clocks_->knowledge(p), {}};
  const WindowMemory& memory = e.window->of(e.rank);
  rma::Location at;
  at.what = rma::Location::What::views;
  at.space = memory.process;
  at.region.lo = memory.dynamic ? INT64_MIN : memory.base;
  at.region.hi = memory.dynamic ? INT64_MAX : memory.base + memory.bytes;
  at.window = e.window->number;
  at.everywhere = by_sync && in_shared_memory(e);
  at.synced = by_sync;
  memory_.read(at, over);
  // It has the lock on itself by now.
  see_lock(e, e.rank, over);
  if (at.everywhere) memory_.wrote(at, start);
}

// ---- Shared memory ----
// Where this process sees another one's part.
void OneSidedRaces::query(Process& process, const Call& call, const Event& leave,
                          const WindowAct& act) {
  State& s = state(process);
  const Epochs* e = epochs(process, s, act.window);
  if (e == nullptr || e->window == nullptr || e->window->apart || leave.error_class() != 0 ||
      !leave.has_words() || e->window->flavour != Proc::win_allocate_shared)
    return;
  const int rank = act.call->rank;
  const std::int64_t asked = call.enter().value(rank);
  const std::int64_t base = leave.result(act.call->base_out), bytes = leave.result(act.call->bytes);
  // MPI-4.1 12.2.3: of MPI_PROC_NULL, the lowest rank that gives memory.
  auto owner = static_cast<int>(std::max<std::int64_t>(asked, 0));
  const int members = e->window->members->size;
  while (asked < 0 && owner < members && e->window->of(owner).bytes == 0) ++owner;
  if (owner >= members || bytes <= 0 || base == 0) return;
  if (owner != e->rank) s.segments[base] = {base + bytes, e->window, owner};
}

}  // namespace vouch
