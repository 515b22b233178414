#include "analysis/rma/rma.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "event/wire.h"
#include "model/effect.h"

namespace vouch {
namespace {

constexpr const char* kRanges = "target ranges of one-sided calls";

bool has_bit(const Process& process, std::int64_t bits, Constant bit) {
  return (static_cast<std::uint64_t>(bits) & process.raw_of(bit)) != 0;
}

// MPI-4.1 lets MPI_Win_shared_query be called on windows of MPI_Win_create and MPI_Win_allocate.
// Which libraries do is told by their versions.
bool queries_any_window(const Process& process) {
  const std::string_view text = process.library_version;
  const auto number_after = [&](std::string_view word) {
    const std::size_t at = text.find(word);
    return at == std::string_view::npos
               ? 0.0
               : std::strtod(std::string(text.substr(at + word.size())).c_str(), nullptr);
  };
  switch (process.library) {
    case wire::Library::openmpi: {
      const double version = number_after("Open MPI v");
      return version == 0.0 || version >= 5.1;
    }
    case wire::Library::mpich: {
      const double version = number_after("MPICH Version:");
      return version == 0.0 || version >= 4.2;
    }
    default:
      return true;
  }
}

Proc flavour(const Window& window) { return info(window.flavour).base; }

}  // namespace

Wants Rma::wants(Proc proc) const {
  const WindowDeed deed = window_call(proc).deed;
  if (deed == WindowDeed::none) return {.enter = proc == Proc::finalize};
  return {.enter = true,
          .leave = changes_epochs(deed) || deed == WindowDeed::create || deed == WindowDeed::free ||
                   deed == WindowDeed::test};
}

void Rma::not_checked(Site site, const char* what, const char* why) {
  sink_.not_checked({.what = what, .reason = why, .count = 1, .site = site});
}

Rma::Rank& Rma::rank(const Process& process) {
  if (process.index >= ranks_.size()) ranks_.resize(process.index + 1);
  return ranks_[process.index];
}

void Rma::on_enter(Process& process, Call& call) {
  const WindowCall& c = window_call(call.proc());
  if (c.deed == WindowDeed::none) return judge_end(process, call);
  if (c.deed == WindowDeed::create) return tell_memory(process, call, c);
  const std::uint64_t raw = call.enter().handle(c.win);
  const Window* window = process.windows.find(raw);
  if (window == nullptr || window->poisoned) return;
  Rank& mine = rank(process);
  const auto found = mine.handles.find(raw);
  if (found == mine.handles.end()) return;
  Handle& h = found->second;
  if (c.deed == WindowDeed::attach || c.deed == WindowDeed::detach || c.deed == WindowDeed::query)
    return judge_flavour(process, call, c, *window, h);
  const std::int64_t target = c.rank < 0 ? 0 : call.enter().value(c.rank);
  if (target < 0 || target >= window->size) {
    // MPI_PROC_NULL: nothing happens (MPI-4.1 12.3). Anything else has a finding already.
    if (target != wire::kProcNull && changes_epochs(c.deed)) h.lost = true;
    return;
  }
  judge_no_locks(process, call, c, *window, h);
  judge_epoch(process, call, c, *window, h);
  if (c.deed != WindowDeed::move) return;
  if (!call.poisoned) judge_memory(process, call, c, h);
  if (!call.poisoned) judge_types(process, call, c, h);
  if (!call.poisoned) judge_twice(process, call);
}

void Rma::on_leave(Process& process, Call& call, const Event& leave) {
  const WindowCall& c = window_call(call.proc());
  if (c.deed == WindowDeed::create) return born(process, call, c, leave);
  Rank& mine = rank(process);
  const auto found = mine.handles.find(call.enter().handle(c.win));
  if (found == mine.handles.end()) return;
  Handle& h = found->second;
  if (leave.error_class() != 0) {
    if (c.deed == WindowDeed::test || !changes_epochs(c.deed)) return;
    if (!h.lost && !call.broken)
      not_checked(call.site(), "epochs of a window", "a call that opens or closes one has failed");
    h.lost = true;
    return;
  }
  if (c.deed == WindowDeed::free) {
    const Window* now = process.windows.find(call.enter().handle(c.win));
    if (now != nullptr && now->born_during(call.seq())) return;
    Shared* shared = h.shared;
    mine.handles.erase(found);
    if (shared != nullptr) gone(*shared);
  } else if (c.deed == WindowDeed::test && leave.result(c.flag) != 0) {
    h.epochs.tested();
  }
}

// Windows ------------------------------------------------

std::uint64_t Rma::key_of(std::uint64_t comm, const Members* members, std::uint64_t number) const {
  return mix(mix(world_.inter_id(comm), reinterpret_cast<std::uintptr_t>(members)), number);
}

// The memory is known as soon as the constructor is entered: another process may have returned from
// it, and use the window.
void Rma::tell_memory(Process& process, const Call& call, const WindowCall& c) {
  const Event enter = call.enter();
  const Communicator* comm = process.comms.find(enter.handle(c.comm));
  if (comm == nullptr || comm->poisoned || comm->inter() || comm->members == nullptr ||
      comm->id == 0 || process.stranger() || comm->leads_outside())
    return;
  const int place = comm->members->rank_of(process.rank).value;
  if (place < 0) return;
  Rank& mine = rank(process);
  Made& made = mine.made[comm->raw];
  if (made.generation != comm->generation) made = {comm->generation, 0};
  const std::uint64_t number = made.count++;
  const std::uint64_t key = key_of(comm->id, comm->members, number);
  if (call.broken) return;  // counted all the same: it is a window to the others
  mine.entered[call.seq()] = key;
  std::unique_ptr<Shared>& shared = shared_[key];
  if (shared == nullptr) {
    shared = std::make_unique<Shared>();
    shared->key = key;
    shared->comm = comm->id;
    shared->number = number;
    shared->members = comm->members;
  }
  WindowPart& part = shared->parts[place];
  part.known = true;
  part.dynamic = c.bytes < 0;
  if (!part.dynamic) {
    part.bytes = enter.value(c.bytes);
    part.unit = enter.value(c.unit);
  }
  part.rank = process.rank;
  part.process = process.index;
  part.made = call.site();
  part.made_by = call.proc();
  if (const Info* info = c.info < 0 ? nullptr : process.infos.find(enter.handle(c.info))) {
    part.same_size = info->same_size;
    part.same_unit = info->same_unit;
  }
  judge_promises(*shared);
  judge_waiting(*shared, place, false);
  tell_faults(*shared, place);
}

void Rma::born(Process& process, const Call& call, const WindowCall& c, const Event& leave) {
  Rank& mine = rank(process);
  Shared* shared = nullptr;
  int place = -1;
  if (const auto entered = mine.entered.find(call.seq()); entered != mine.entered.end()) {
    const auto found = shared_.find(entered->second);
    shared = found == shared_.end() ? nullptr : found->second.get();
    mine.entered.erase(entered);
  }
  if (shared != nullptr) place = shared->members->rank_of(process.rank).value;
  if (leave.error_class() != 0) {
    if (shared != nullptr) gone(*shared);
    return;
  }
  Handle& h = mine.handles[static_cast<std::uint64_t>(leave.result(c.win))];
  h = {};
  h.shared = shared;
  h.rank = place;
  h.epochs.belong_to(place);
  const Info* info = c.info < 0 ? nullptr : process.infos.find(call.enter().handle(c.info));
  h.no_locks = info != nullptr && info->no_locks;
}

void Rma::gone(Shared& shared) {
  if (++shared.gone < shared.members->size) return;
  conclude(shared);
  shared_.erase(shared.key);
}

void Rma::judge_flavour(Process& process, Call& call, const WindowCall& c, const Window& window,
                        Handle& h) {
  const Proc kind = flavour(window);
  const auto fire = [&](Cause cause, const char* words) {
    if (call.poisoned || again(process, call, cause, {window.made})) return;
    report(process, call, cause,
           cause == Cause::window_not_attached
               ? words
               : fmt::format("the window was made by {}, {}", info(kind).name, words),
           {made_place(process, window, "window made here")});
  };
  if (c.deed == WindowDeed::query) {
    if (kind == Proc::win_allocate_shared) return;
    if (kind == Proc::win_create_dynamic || !queries_any_window(process)) {
      fire(Cause::window_not_shared, "its memory is not shared");
    }
    return;
  }
  if (kind != Proc::win_create_dynamic) {
    return fire(Cause::window_not_dynamic, "memory is attached to dynamic windows only");
  }
  const Event enter = call.enter();
  const std::uint64_t base = enter.address(c.base);
  if (c.deed == WindowDeed::attach) {
    judge_attach(process, call, c, window, h);
    if (h.shared != nullptr && h.rank >= 0) {
      h.shared->parts[h.rank].attach(static_cast<std::int64_t>(base), enter.value(c.bytes));
    }
    return;
  }
  const auto at = h.attached.find(base);
  if (at == h.attached.end())
    return fire(Cause::window_not_attached,
                "no memory that starts at this address is attached to the window");
  if (--at->second.times == 0) h.attached.erase(at);
}

// Epochs ------------------------------------------------
// MPI-4.1 11.2.2: what a process has begun must be over before MPI_Finalize. A library may refuse
// to clean up behind an open epoch, and die of it. Misses: MPI_Session_finalize; which session a
// window belongs to is not known.
void Rma::judge_end(const Process& process, const Call& finalize) {
  if (finalize.poisoned || process.lossy || process.live_sessions > 0) return;
  std::vector<Epochs::Since> open;
  for (const auto& [raw, h] : rank(process).handles) {
    const Window* window = process.windows.find(raw);
    if (h.lost || window == nullptr || window->poisoned) continue;
    for (const Epochs::Since& since : h.epochs.open()) open.push_back(since);
  }
  std::sort(open.begin(), open.end(),
            [](const auto& a, const auto& b) { return a.site.value < b.site.value; });
  for (const Epochs::Since& since : open) {
    damage().record_first(process, since.site);
    sink_.report({.rule = Rule::rma_epoch_nested,
                  .severity = info(Rule::rma_epoch_nested).severity,
                  .message = fmt::format("nothing has closed the epoch of {} before MPI_Finalize",
                                         info(since.proc).name),
                  .cause = info(Cause::epoch_unclosed).key,
                  .places = {{process.rank, since.site, info(since.proc).name, "opened here"},
                             place_of(process, finalize, "still open here")},
                  .why = Cause::epoch_unclosed});
  }
}

bool Rma::in_group(const Window& window, const Handle& h, int target) const {
  if (h.start == nullptr || window.members == nullptr) return true;
  const WorldRank rank = window.members->world(CommRank{target});
  return rank.value < 0 || h.start->rank_of(rank).value >= 0;
}

Epochs::Judged Rma::advance(const Process& process, const Call& call, const WindowCall& c,
                            const Window& window, Handle& h) {
  const Event enter = call.enter();
  const Epochs::Since now{call.proc(), call.site()};
  const int target = c.rank < 0 ? 0 : static_cast<int>(enter.value(c.rank));
  Epochs& epochs = h.epochs;
  switch (c.deed) {
    case WindowDeed::fence: {
      const std::int64_t bits = enter.value(c.assert);
      ++h.fences;
      h.fence_is_barrier = !has_bit(process, bits, Constant::mode_noprecede);
      return epochs.fence(has_bit(process, bits, Constant::mode_noprecede),
                          has_bit(process, bits, Constant::mode_nosucceed), now);
    }
    case WindowDeed::start: {
      const Group* group = process.groups.find(enter.handle(c.group));
      h.start = group == nullptr || group->poisoned ? nullptr : group->members;
      return epochs.start(now);
    }
    case WindowDeed::complete:
      return epochs.complete(now);
    case WindowDeed::post:
      return epochs.post(now);
    case WindowDeed::wait:
      return epochs.wait(now);
    case WindowDeed::test:
      return epochs.test();
    case WindowDeed::lock:
      return epochs.lock(target, now);
    case WindowDeed::unlock:
      return epochs.unlock(target, now);
    case WindowDeed::lock_all:
      return epochs.lock_all(now);
    case WindowDeed::unlock_all:
      return epochs.unlock_all(now);
    case WindowDeed::flush:
      return epochs.flush(target);
    case WindowDeed::flush_all:
      return epochs.flush_all();
    case WindowDeed::move:
      return epochs.move(target, !epochs.started() || in_group(window, h, target), c.requests, now);
    case WindowDeed::free:
      return epochs.free();
    default:
      return {};
  }
}

void Rma::judge_epoch(Process& process, Call& call, const WindowCall& c, const Window& window,
                      Handle& h) {
  if (h.lost || process.lossy) return;
  // What becomes of the epochs in a call that has a finding is the library's secret.
  if (call.broken) {
    if (changes_epochs(c.deed)) h.lost = true;
    return;
  }
  const Epochs::Judged fault = advance(process, call, c, window, h);
  if (!fault) {
    judge_locks(process, call, c, h);
    return judge_asserts(process, call, c, h);
  }
  if (changes_epochs(c.deed)) h.lost = true;
  if (call.poisoned) return;
  const Rule rule = fault->nested ? Rule::rma_epoch_nested : Rule::rma_epoch_missing;
  damage().record_first(process, call.site());
  const char* key = fault->why == Cause::none ? "" : info(fault->why).key;
  if (fault->other.proc != Proc::none ? again(process, call, rule, key, {fault->other.site})
                                      : again(process, call, rule, key))
    return;
  std::vector<Place> more;
  if (fault->other.proc != Proc::none)
    more.push_back({process.rank, fault->other.site, info(fault->other.proc).name, fault->role});
  if (fault->why == Cause::none)
    report(process, call, rule, fault->message(), {}, std::move(more));
  else
    report(process, call, fault->why, fault->message(), std::move(more));
}

void Rma::judge_locks(const Process& process, const Call& call, const WindowCall& c, Handle& h) {
  if (h.shared == nullptr || h.fences == 0 || !h.fence_is_barrier) return;
  const FencedAccesses::Use now{process.rank, call.proc(), call.site()};
  const int target =
      c.rank < 0 ? FencedAccesses::kAllTargets : static_cast<int>(call.enter().value(c.rank));
  FencedAccesses& fenced = h.shared->fenced;
  FencedAccesses::Conflict found;
  if (c.deed == WindowDeed::lock || c.deed == WindowDeed::lock_all)
    found = fenced.locked(h.fences, target, now);
  else if (c.deed == WindowDeed::move && h.epochs.fenced())
    found = fenced.accessed(h.fences, target, now);
  if (found.lock.proc == Proc::none) return;
  sink_.report(
      {.rule = Rule::rma_epoch_nested,
       .severity = Severity::warning,
       .message = "the window is exposed: another rank accesses it between the same two fences",
       .cause = info(Cause::epoch_fence).key,
       .places = {{found.lock.rank, found.lock.site, info(found.lock.proc).name, {}},
                  {found.access.rank, found.access.site, info(found.access.proc).name,
                   "accessed here by fence"}},
       .why = Cause::epoch_fence});
}

// Target ------------------------------------------------
void Rma::unchecked(Shared& shared, Site site, const char* why) {
  if (!std::exchange(shared.unchecked, true)) not_checked(site, kRanges, why);
}

void Rma::judge_memory(Process& process, Call& call, const WindowCall& c, Handle& h) {
  const Event enter = call.enter();
  const std::int64_t count = c.target_count < 0 ? 1 : enter.value(c.target_count);
  const Datatype* type = process.datatypes.find(enter.handle(c.target_type));
  if (count <= 0 || type == nullptr || type->type == nullptr || type->type->size == 0) return;
  if (h.shared == nullptr)
    return not_checked(call.site(), kRanges, "the processes of the window are not known");
  Shared& shared = *h.shared;
  const auto target = static_cast<int>(enter.value(c.rank));
  if (target < 0 || target >= shared.members->size) return;
  WindowPart& part = shared.parts[target];
  const std::int64_t disp = enter.value(c.disp);
  const WindowPart::Fit fit = part.fit(disp, count, *type->type);
  if (fit == WindowPart::Fit::inside) return;
  const bool now = part.known && !part.dynamic;
  if (now) {
    const Involved places[] = {{process.rank, call.site()}, {part.rank, part.made}};
    if (sink_.again({Rule::rma_target_range, info(Rule::rma_target_range).severity, places})) {
      hurt(process, call.site(), part);
      return spoil(call, Rule::rma_target_range);
    }
  }
  WindowAccess access{process.rank, process.index, call.site(), place_of(process, call).call,
                      disp,         count,         type->type};
  if (now) {
    tell(part, access);
    spoil(call, Rule::rma_target_range);
  } else if (!part.wait(std::move(access))) {
    unchecked(shared, call.site(), "too many of them wait for what the target does");
  }
}

void Rma::tell(const WindowPart& part, const WindowAccess& a) {
  sink_.report({.rule = Rule::rma_target_range,
                .severity = info(Rule::rma_target_range).severity,
                .message = part.words(a.disp, a.count, *a.type),
                .places = {{a.origin, a.site, a.call, {}},
                           {part.rank, part.made, info(part.made_by).name, "window made here"}},
                .involved = {{part.rank, part.made}}});
  hurt(world_.process(a.process), a.site, part);
}

// What origin and target do from now on may follow from this call. In the target its window stands
// for it.
void Rma::hurt(const Process& origin, Site site, const WindowPart& part) {
  damage().record_first(origin, site);
  if (!part.known) return;
  damage().record_first(world_.process(part.process), part.made);
}

// The target has told its memory, or all that it will ever attach.
void Rma::judge_waiting(Shared& shared, int target, bool final) {
  WindowPart& part = shared.parts[target];
  if (part.dynamic && !final) return;
  for (const WindowAccess& a : part.take_waiting()) {
    switch (part.fit(a.disp, a.count, *a.type)) {
      case WindowPart::Fit::inside:
        break;
      case WindowPart::Fit::outside:
        tell(part, a);
        break;
      case WindowPart::Fit::unclear:
        unchecked(shared, a.site, "what memory the target has is not known");
        break;
    }
  }
}

void Rma::conclude(Shared& shared) {
  for (const auto& [rank, part] : shared.parts) judge_waiting(shared, rank, true);
  tell_faults(shared, kAllTargets);
  Asserts::Found found;
  shared.asserts.conclude(found);
  tell(shared, found, {});
}

// What some processes told while their communicator, made from an inter-communicator, had the name
// that it has until its leader's call is seen (World::join_halves).
void Rma::take_over(Shared& whole, Shared& half) {
  for (Fault& f : half.faults) whole.faults.push_back(std::move(f));
  half.faults.clear();
  for (auto& [rank, other] : half.parts) {
    WindowPart& part = whole.parts[rank];
    std::vector<WindowAccess> waiting = other.take_waiting();
    if (other.known && !part.known) {
      for (WindowAccess& a : part.take_waiting()) waiting.push_back(std::move(a));
      part = std::move(other);
    }
    for (WindowAccess& a : waiting) {
      const Site site = a.site;
      if (!part.wait(std::move(a)))
        unchecked(whole, site, "too many of them wait for what the target does");
    }
  }
}

void Rma::finish() {
  std::unordered_map<std::uint64_t, Shared*> whole;
  for (const auto& [key, shared] : shared_) {
    const auto [first, is_new] =
        whole.emplace(key_of(shared->comm, shared->members, shared->number), shared.get());
    if (!is_new) take_over(*first->second, *shared);
  }
  for (const auto& [key, shared] : shared_) conclude(*shared);
  shared_.clear();
}

// Types ------------------------------------------------
void Rma::judge_types(Process& process, Call& call, const WindowCall& c, Handle& h) {
  bool over_budget = false;
  auto fault = signatures_.judge(process, call.enter(), c, over_budget);
  if (over_budget)
    not_checked(call.site(), "types of a one-sided call",
                "too many changes between MPI_BYTE and other types to compare");
  if (!fault) return;
  const char* key = fault->why == Cause::none ? "" : info(fault->why).key;
  const bool error = fault->severity == Severity::error;
  const auto target = static_cast<int>(call.enter().value(c.rank));
  const bool reaches = h.shared != nullptr && target >= 0 && target < h.shared->members->size;
  if (again(process, call, Rule::rma_signature, fault->severity, key)) {
    if (error) hurt(process, call.site(), reaches ? h.shared->parts[target] : WindowPart{});
    return;
  }
  Report report{.rule = Rule::rma_signature,
                .severity = fault->severity,
                .message = fault->message(),
                .cause = key,
                .places = {place_of(process, call)},
                .why = fault->why};
  spoil(call, Rule::rma_signature, fault->severity);
  if (error) {
    if (reaches && h.shared->faults.size() < kFaultsKept) {
      h.shared->faults.push_back({target, process.index, call.site(), std::move(report)});
      if (h.shared->parts[target].known) tell_faults(*h.shared, target);
      return;
    }
    hurt(process, call.site(), WindowPart{});
  }
  sink_.report(std::move(report));
}

// Wrong calls, told when it is known what they hurt: the target may be the one that dies of it.
void Rma::tell_faults(Shared& shared, int target) {
  std::vector<Fault> later;
  for (Fault& f : shared.faults) {
    if (target != kAllTargets && f.target != target) {
      later.push_back(std::move(f));
      continue;
    }
    const WindowPart& part = shared.parts[f.target];
    if (part.known) f.report.involved = {{part.rank, part.made}};
    hurt(world_.process(f.process), f.site, part);
    sink_.report(std::move(f.report));
  }
  shared.faults = std::move(later);
}

}  // namespace vouch
