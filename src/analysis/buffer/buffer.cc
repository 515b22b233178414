#include "analysis/buffer/buffer.h"

#include <algorithm>

#include <fmt/format.h>

#include "act/window_call.h"
#include "analysis/digest.h"
#include "model/completion.h"

namespace vouch {
namespace {

// Requests have their raw handle as key; the others must not meet it.
constexpr std::uint64_t kAttachedKey = std::uint64_t{1} << 63;
constexpr std::uint64_t kFreedKey = kAttachedKey + 1;
std::uint64_t file_key(std::uint64_t raw) { return raw ^ (std::uint64_t{1} << 62); }
std::uint64_t window_key(std::uint64_t raw) { return raw ^ (std::uint64_t{1} << 61); }

// Data that were moved before are complete at their origin when it has returned.
bool completes_moves(WindowDeed deed) {
  switch (deed) {
    case WindowDeed::fence:
    case WindowDeed::complete:
    case WindowDeed::unlock:
    case WindowDeed::unlock_all:
    case WindowDeed::flush:
    case WindowDeed::flush_all:
      return true;
    default:
      return false;
  }
}

// Whether a call may bring word of others when it has returned.
bool may_learn(Proc proc) {
  const ProcInfo& about = info(proc);
  switch (about.family) {
    case Family::collective:
    case Family::neighbour:
      return about.has(kBlocking);
    case Family::completion:
      return true;
    case Family::p2p:
      return about.first(Kind::status, Dir::out) >= 0;
    default:
      return about.has(kCollective) || proc == Proc::finalize;
  }
}

// What is wrong with its memory was said, or nobody knows what it asks for.
bool told(const Call& call) { return call.poisoned || call.harms.has(Harm::memory); }

bool is_bare(const Event& leave) { return leave.header().words == 0; }

template <typename F>
void each_request(const Event& enter, int param, F&& f) {
  if (!enter.info().params[static_cast<std::size_t>(param)].is_array())
    return f(enter.handle(param));
  const ArrayView all = enter.array(param);
  for (std::uint64_t i = 0; i < all.size(); ++i) f(static_cast<std::uint64_t>(all[i]));
}

}  // namespace

BufferUse::BufferUse(World& world, Sink& sink) : Analysis(world, sink) { hear_if_needed(); }

BufferUse::Plan BufferUse::plan(Proc proc) {
  const ProcInfo& about = info(proc);
  Plan p;
  Proc base = proc;
  while (info(base).base != base) base = info(base).base;
  p.request = about.at.request;
  p.flag = about.at.flag;
  p.file = about.at.object;  // of file procedures
  switch (about.role) {
    case CallRole::free:
      p.does = Does::free;
      return p;
    case CallRole::ready:
      p.does = Does::pready;
      return p;
    case CallRole::detach:
      p.does = Does::detach;
      return p;
    default:
      break;
  }
  switch (base) {
    case Proc::parrived:
      p.does = Does::parrived;
      return p;
    case Proc::buffer_attach:
      p.does = Does::attach;
      return p;
    case Proc::comm_attach_buffer:
    case Proc::session_attach_buffer:
      p.does = Does::attach_other;
      return p;
    case Proc::file_close:
      p.does = Does::close;
      return p;
    case Proc::alloc_mem:
      p.does = Does::alloc_mem;
      return p;
    case Proc::free_mem:
      p.does = Does::free_mem;
      return p;
    case Proc::win_create:
      p.does = Does::win_create;
      return p;
    case Proc::win_attach:
      p.does = Does::win_attach;
      return p;
    case Proc::win_free:
      p.does = Does::win_free;
      return p;
    default:
      break;
  }
  if (const WindowDeed deed = window_call(proc).deed; deed == WindowDeed::move) {
    p.does = Does::move;
    return p;
  } else if (completes_moves(deed)) {
    p.does = Does::moves_there;
    p.learns = may_learn(proc);
    return p;
  }
  p.learns = may_learn(proc);
  const std::string_view name = about.name;
  const bool status = name.starts_with("MPI_Request_get_status");
  if (about.role == CallRole::start || about.role == CallRole::complete || status) {
    p.does = about.role == CallRole::start ? Does::start : Does::complete;
    return p;
  }
  if (about.family == Family::io && name.ends_with("_end")) {
    p.does = Does::end;
    return p;
  }
  p.access = access_plan(proc);
  if (p.access.sides.empty()) {
    for (int i = 0; i < static_cast<int>(about.params.size()); ++i) {
      const Param& param = about.params[static_cast<std::size_t>(i)];
      if (param.shape == Shape::pointer_out && param.kind != Kind::status)
        p.outs.push_back(static_cast<std::int8_t>(i));
    }
    if (p.learns) {
      p.does = Does::listens;
    } else if (p.outs.size() > 1 && !about.has(kPoll)) {
      p.does = Does::outs;
    }
    return p;
  }
  p.arrays = about.has(kCollective) &&
             std::any_of(p.access.sides.begin(), p.access.sides.end(), [](const Side& s) {
               return s.times == Times::counts || s.times == Times::sum || s.times == Times::own;
             });
  p.receives = about.family == Family::p2p && p.access.sides.size() == 1 &&
               p.access.sides[0].touch == Touch::write;
  p.request = static_cast<std::int8_t>(about.first(Kind::request, Dir::out));
  p.buffered = about.mode == SendMode::buffered;
  p.packs = about.family == Family::pack;
  p.does = Does::access;
  if (p.request >= 0) p.does = about.has(kPersistent) ? Does::init : Does::pend;
  if (about.family == Family::io && (name.ends_with("_begin") || name.ends_with("_begin_c"))) {
    p.does = Does::begin;
  }
  p.quick = p.access.scalar && p.does == Does::access && !p.buffered;
  p.recalls = p.access.scalar && p.access.sides.size() == 1;
  if (p.recalls && about.family == Family::p2p && p.access.message < 0) {
    const Side& side = p.access.sides[0];
    p.one_range = side.times == Times::once &&
                  (side.touch == Touch::read || side.touch == Touch::write) && side.peer >= 0;
  }
  return p;
}

Wants BufferUse::wants(Proc proc) const {
  switch (plans_[static_cast<std::size_t>(proc)].does) {
    case Does::nothing:
      return {};
    case Does::access:
    case Does::listens:
    case Does::pready:
    case Does::outs:
    case Does::free_mem:
    case Does::win_attach:
    case Does::move:
      return {.enter = true};
    case Does::win_create:
    case Does::pend:
    case Does::init:
    case Does::start:
    case Does::attach:
    case Does::begin:
    case Does::moves_there:
      return {.enter = true, .leave = true};
    default:
      return {.leave = true};
  }
}

bool BufferUse::at_rest() {
  bool rests = beyond_.empty() && early_.empty();
  states_.for_each([&](std::size_t, const State& s) {
    rests = rests && !s.pending.has_operations() && !s.held.has_operations();
  });
  return rests;
}

void BufferUse::on_end(Process& process) { states_.drop(process); }

// What comes from others may be the proof that a message was delivered: then its memory is free.
inline void BufferUse::learned(State& s) {
  if (s.held.has_operations()) s.held.forget(kFreedKey);
  s.buffered = 0;
}

void BufferUse::on_enter(Process& process, Call& call) {
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  State& s = states_[process];
  if (plan.learns) learned(s);
  if (call.poisoned) return;
  // The last call that said the same was fine, and nothing is held that it could meet now.
  if (call.repeated && plan.quick && s.pending.empty() && process.memory.empty()) return;
  switch (plan.does) {
    case Does::listens:
      return;
    case Does::start:
      if (s.pending.has_operations()) start(process, call, plan, s);
      return;
    case Does::pready:
      return pready(process, call, plan, s);
    case Does::attach:
      return attach(process, call, s);
    case Does::outs:
      return check_outs(process, call, plan);
    case Does::win_create:
    case Does::win_attach:
      return check_window(process, call);
    case Does::move:
      if (!process.memory.empty()) move(process, call, s);
      return;
    case Does::moves_there:
      return;
    case Does::free_mem: {
      const auto base = static_cast<std::int64_t>(call.enter().address(0));
      const Block* block = process.memory.find(base);
      if (block == nullptr || block->kind != Block::Kind::alloc_mem || block->lo != base) return;
      const std::int64_t hi = block->hi;
      check_freed(process, s, base, hi, place_of(process, call));
      process.memory.remove(base);
      return;
    }
    default:
      return touch(process, call, plan, s);
  }
}

// Must say yes only where touch() finds nothing: no memory is held, and what the call touches are
// dense ranges apart from each other.
bool BufferUse::surely_fine(const Process& process, const Event& enter, const Plan& plan,
                            const State& s) const {
  const AccessPlan& access = plan.access;
  if (!plan.quick || !s.pending.empty() || !process.memory.empty()) return false;
  if (!access.judges) return true;
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // of counts, sizes: products do not wrap
  std::int64_t lo[2], hi[2];
  int n = 0;
  std::uint64_t raw = 0;
  const Datatype* type = nullptr;
  for (const Side& side : access.sides) {
    const std::uint64_t address = enter.word(side.buffer_word);
    auto count = static_cast<std::int64_t>(enter.word(side.count_word));
    if (address >= wire::kBufferAutomatic || count <= 0) continue;  // sentinels
    const std::uint64_t handle = enter.word(side.type_word);
    if (type == nullptr || handle != raw) type = process.datatypes.find(handle);
    raw = handle;
    if (type == nullptr || !type->known() || count > kMost || type->size() > kMost) return false;
    if (type->type->layout == nullptr) continue;
    if (side.times != Times::once) {
      const Communicator* comm = process.comms.find(enter.handle(access.comm));
      if (comm == nullptr) return false;
      count *= std::max({comm->size, comm->remote_size, 1});
      if (count > kMost) return false;
    }
    if (!is_dense(*type->type, count)) return false;
    lo[n] = static_cast<std::int64_t>(address) + type->type->layout->lo;
    hi[n] = lo[n] + count * type->size();
    ++n;
  }
  return n < 2 || hi[0] <= lo[1] || hi[1] <= lo[0];
}

// Into regions_.
void BufferUse::collect_regions(Process& process, Call& call, const Plan& plan, State& s) {
  constexpr std::uint32_t kPlaces = 4096;
  const Event enter = call.enter();
  const std::uint32_t place = enter.header().site;
  regions_.clear();
  if (!plan.recalls || place >= kPlaces) return collect(plan.access, process, enter, regions_);
  if (place >= s.recalled.size()) s.recalled.resize(place + 1);
  State::Recalled& before = s.recalled[place];
  if (before.proc == call.proc()) {
    if (call.repeated) {
      regions_.push_back(before.region);
      return;
    }
    if (range_of(process, enter, plan, before.elements, before.region)) {
      regions_.push_back(before.region);
      return;
    }
  }
  collect(plan.access, process, enter, regions_);
  before.elements = elements_of(process, enter, plan);
  before.proc = regions_.size() == 1 ? call.proc() : Proc::none;
  if (regions_.size() == 1) before.region = regions_[0];
}

// Must say yes only where collect() finds this one region. `region`: of the last call at the place.
bool BufferUse::range_of(const Process& process, const Event& enter, const Plan& plan,
                         const State::Elements& elements, Region& region) {
  const AccessPlan& access = plan.access;
  const Side& side = access.sides[0];
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;  // of counts, sizes: products do not wrap
  constexpr std::uint64_t kFar = std::uint64_t{1} << 60;   // of addresses
  if (elements.bytes == 0 || elements.changes != process.changes || !region.dense() ||
      elements.type != enter.word(side.type_word) || elements.comm != enter.word(access.comm_word))
    return false;
  const std::uint64_t address = enter.word(side.buffer_word), count = enter.word(side.count_word);
  if (address >= kFar || count == 0 || count > kMost ||
      static_cast<std::int64_t>(enter.word(side.peer_word)) == wire::kProcNull)
    return false;
  region.lo = static_cast<std::int64_t>(address) + elements.lo;
  region.hi = region.lo + static_cast<std::int64_t>(count) * elements.bytes;
  return true;
}

BufferUse::State::Elements BufferUse::elements_of(const Process& process, const Event& enter,
                                                  const Plan& plan) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  if (!plan.one_range || regions_.size() != 1 || !regions_[0].dense()) return {};
  const std::uint64_t raw = enter.word(plan.access.sides[0].type_word);
  const Datatype* type = process.datatypes.find(raw);
  if (type == nullptr || !type->known() || type->type->layout == nullptr ||
      !is_dense(*type->type, 2) || type->extent() > kMost)
    return {};
  return {enter.word(plan.access.comm_word), raw, process.changes, type->type->layout->lo,
          type->extent()};
}

void BufferUse::touch(Process& process, Call& call, const Plan& plan, State& s) {
  const Event enter = call.enter();
  if (surely_fine(process, enter, plan, s)) {
    const std::uint32_t place = enter.header().site;
    if (!call.repeated && place < s.recalled.size()) s.recalled[place].proc = Proc::none;
    return;
  }
  const bool alone = plan.access.scalar && s.pending.empty() && process.memory.empty();
  if (alone && !s.overlapping.empty()) {
    const auto before = s.overlapping.find(call.site().value);
    if (before != s.overlapping.end() &&
        before->second == std::pair(digest_of(enter), process.changes) &&
        again(process, call, Rule::buffer_call_overlap))
      return;
  }
  collect_regions(process, call, plan, s);
  regions_of_ = &process;
  regions_seq_ = call.seq();
  if (regions_.empty()) return;
  if (plan.packs) check_pack(process, call, plan);
  if (!told(call) && plan.access.judges) check_twice(process, call);
  if (!told(call) && plan.access.sides.size() > 1) {
    check_call(process, call);
    if (alone && told(call)) s.overlapping[call.site().value] = {digest_of(enter), process.changes};
  }
  if (!told(call) && !process.memory.empty()) check_bounds(process, call, plan);
  if (plan.arrays && (plan.does != Does::access || !s.pending.empty())) add_arrays(process, call);
  if (told(call) || plan.does == Does::init) return;
  if (plan.buffered) check_bsend(process, call, s, packed_bytes(plan.access, process, enter));
  if (told(call) || s.pending.empty()) return;
  for (const Region& r : regions_) {
    if (!check_pending(process, call, s, r, call.proc())) return;
  }
}

void BufferUse::start(Process& process, Call& call, const Plan& plan, State& s) {
  const Event enter = call.enter();
  each_request(enter, plan.request, [&](std::uint64_t raw) {
    const std::uint32_t o = s.pending.newest(raw);
    if (o == 0 || told(call) || !s.pending.operation(o).persistent) return;
    PendingOperation& operation = s.pending.operation(o);
    operation.since = call.site();
    operation.by_start = true;
    operation.call = call.seq();
    if (operation.regions.empty()) return;
    if (operation.buffered > 0) check_bsend(process, call, s, operation.buffered);
    if (!told(call)) check_freed_start(process, call, s, raw);
    if (told(call)) return;
    // MPI-4.1 4.2.2: a partition to be sent is the program's own until MPI_Pready.
    if (operation.partitioned && !operation.regions[0].writes) return;
    for (const Region& r : operation.regions) {
      if (!r.empty() && !check_pending(process, call, s, r, operation.proc)) return;
    }
    if (!told(call)) s.pending.occupy_all(o);
  });
}

void BufferUse::pready(Process& process, Call& call, const Plan& plan, State& s) {
  const Event enter = call.enter();
  const std::uint32_t o = s.pending.newest(enter.handle(plan.request));
  if (o == 0 || !s.pending.operation(o).partitioned) return;
  s.pending.operation(o).since = call.site();
  each_partition(call, s.pending.operation(o).regions.size(), [&](std::size_t i) {
    const Region& r = s.pending.operation(o).regions[i];
    if (told(call) || r.writes || r.empty()) return;
    if (check_pending(process, call, s, r, s.pending.operation(o).proc)) s.pending.occupy(o, i);
  });
}

void BufferUse::make_pending(Process& process, Call& call, const Plan& plan, State& s,
                             std::uint64_t key) {
  if (regions_of_ != &process || regions_seq_ != call.seq()) {
    regions_.clear();
    const Event enter = call.enter();
    collect(plan.access, process, enter, regions_);
    if (plan.arrays) add_arrays(process, call);
  }
  regions_of_ = nullptr;
  if (regions_.empty()) return;
  const std::uint32_t o = s.pending.add(key, call.proc(), call.site());
  PendingOperation& operation = s.pending.operation(o);
  operation.call = call.seq();
  operation.persistent = plan.does == Does::init;
  operation.partitioned = plan.access.partitions >= 0;
  if (plan.buffered) operation.buffered = packed_bytes(plan.access, process, call.enter());
  for (Region& r : regions_) {
    // Blocks side by side are one range: their order no longer matters.
    if (!operation.partitioned && !operation.regions.empty()) {
      Region& last = operation.regions.back();
      if (last.dense() && r.dense() && last.param == r.param && last.writes == r.writes &&
          last.hi == r.lo) {
        last.hi = r.hi;
        last.block = -1;
        continue;
      }
    }
    operation.regions.push_back(std::move(r));
  }
  if (plan.does != Does::init) return s.pending.occupy_all(o);
  const std::uint32_t kept = s.held.add(key, call.proc(), call.site());
  s.held.operation(kept).regions = s.pending.operation(o).regions;
  s.held.operation(kept).persistent = true;
  s.held.occupy_all(kept);
}

void BufferUse::on_leave(Process& process, Call& call, const Event& leave) {
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  const bool ok = leave.error_class() == 0;
  State& s = states_[process];
  const Event enter = call.enter();
  if (plan.learns) learned(s);
  switch (plan.does) {
    case Does::alloc_mem: {
      const auto base = static_cast<std::int64_t>(leave.result(call.info().param(Arg::baseptr)));
      const std::int64_t bytes = enter.value(call.info().param(Arg::size));
      if (ok && !is_bare(leave) && base != 0 && bytes > 0)
        process.memory.add({base, base + bytes, Block::Kind::alloc_mem, call.site(), {}});
      return;
    }
    case Does::win_create: {
      const std::uint64_t base = enter.address(call.info().param(Arg::base));
      const std::int64_t bytes = enter.value(call.info().param(Arg::size));
      if (!ok || is_bare(leave) || base == 0 || bytes <= 0) return;
      const auto win = static_cast<std::uint64_t>(leave.result(call.info().param(Arg::win)));
      const std::uint32_t o = s.held.add(window_key(win), call.proc(), call.site());
      Region r;
      r.lo = static_cast<std::int64_t>(base);
      r.hi = r.lo + bytes;
      r.param = static_cast<std::int8_t>(call.info().param(Arg::base));
      s.held.operation(o).regions.push_back(std::move(r));
      return s.held.occupy_all(o);
    }
    case Does::win_free: {
      const std::uint64_t win = enter.handle(call.info().param(Arg::win));
      const Window* now = process.windows.find(win);
      if (now == nullptr || !now->born_during(call.seq())) s.held.forget(window_key(win));
      if (ok && !s.moves.empty()) moved(process, call, s);
      return;
    }
    case Does::moves_there:
      if (ok && !s.moves.empty()) moved(process, call, s);
      return;
    case Does::pend:
    case Does::init: {
      if (!ok || told(call) || is_bare(leave)) return;
      const auto raw = static_cast<std::uint64_t>(leave.result(plan.request));
      if (!process.is_null(Kind::request, raw)) make_pending(process, call, plan, s, raw);
      return;
    }
    case Does::begin:
      if (ok && !told(call))
        make_pending(process, call, plan, s, file_key(enter.handle(plan.file)));
      return;
    case Does::end:
    case Does::close:
      return s.pending.forget(file_key(enter.handle(plan.file)));
    case Does::start:
      if (!ok) each_request(enter, plan.request, [&](std::uint64_t r) { s.pending.complete(r); });
      return;
    case Does::complete:
      if (s.pending.has_operations()) completed(process, call, leave, plan, s);
      return;
    case Does::free:
      if (ok) freed_request(process, s, enter.handle(plan.request));
      return;
    case Does::parrived: {
      const std::uint32_t o = s.pending.newest(enter.handle(plan.request));
      if (!ok || o == 0 || leave.result(plan.flag) == 0) return;
      const PendingOperation& operation = s.pending.operation(o);
      const std::int64_t i = enter.value(call.info().first(Kind::partition, Dir::in));
      if (operation.partitioned && i >= 0 && static_cast<std::size_t>(i) < operation.regions.size())
        s.pending.leave(o, static_cast<std::size_t>(i));
      return;
    }
    case Does::attach: {
      if (!ok) return;
      const std::uint64_t address = enter.address(0);
      s.pending.forget(kAttachedKey);
      s.attached = true;
      s.automatic = address == wire::kBufferAutomatic;
      s.attached_bytes = enter.value(1);
      s.buffered = 0;
      s.told_buffered = false;
      s.attached_at = call.site();
      if (s.automatic || told(call) || address == 0 || s.attached_bytes <= 0) return;
      const std::uint32_t o = s.pending.add(kAttachedKey, call.proc(), call.site());
      Region r;
      r.lo = static_cast<std::int64_t>(address);
      r.hi = r.lo + s.attached_bytes;
      r.writes = true;
      r.param = 0;
      s.pending.operation(o).regions.push_back(std::move(r));
      s.pending.occupy_all(o);
      return;
    }
    case Does::detach:
      if (!ok) return;
      s.pending.forget(kAttachedKey);
      s.attached = s.automatic = false;
      return;
    case Does::attach_other:
      s.other_buffers = true;
      return;
    default:
      return;
  }
}

// A send goes on without its request until something proves that it was delivered.
void BufferUse::freed_request(const Process& process, State& s, std::uint64_t raw) {
  s.held.forget(raw);
  const std::uint32_t o = s.pending.newest(raw);
  const Request* request = process.requests.find(raw);
  const bool sends = o != 0 && request != nullptr && request->twins.empty() &&
                     request->kind == RequestKind::send && request->state == RequestState::active &&
                     s.pending.operation(o).older == 0;
  if (sends) {
    const PendingOperation& sent = s.pending.operation(o);
    const std::uint32_t kept = s.held.add(kFreedKey, sent.proc, sent.since);
    s.held.operation(kept).regions = sent.regions;
    s.held.occupy_all(kept);
  }
  s.pending.forget(raw);
}

// Whatever may be complete is released; a call that failed leaves nothing to rely on.
void BufferUse::completed(Process& process, Call& call, const Event& leave, const Plan& plan,
                          State& s) {
  const Event enter = call.enter();
  if (leave.error_class() != 0 || (is_bare(leave) && plan.flag < 0))
    return each_request(enter, plan.request, [&](std::uint64_t raw) { s.pending.complete(raw); });
  if (!call.info().params[static_cast<std::size_t>(plan.request)].is_array()) {
    if (plan.flag < 0 || leave.result(plan.flag) != 0)
      s.pending.complete(enter.handle(plan.request));
    return;
  }
  const ArrayView requests = enter.array(plan.request);
  each_completed(process, call, leave, [&](std::uint64_t i, const wire::Status*, int) {
    s.pending.complete(static_cast<std::uint64_t>(requests[i]));
  });
}

}  // namespace vouch
