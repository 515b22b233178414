#include "analysis/rma/race/races.h"

#include <algorithm>
#include <utility>

namespace vouch {

using rma::Access;
using rma::AccessEnd;
using rma::AccessId;
using rma::Touches;

namespace {

bool touches_buffers(const AccessPlan& plan) { return !plan.sides.empty(); }

}  // namespace

Wants OneSidedRaces::wants(Proc proc) const {
  const WindowDeed deed = window_call(proc).deed;
  const bool buffers = touches_buffers(plans_[static_cast<std::size_t>(proc)]);
  if (deed == WindowDeed::none) return {.enter = buffers, .leave = buffers};
  return {.enter = true, .leave = deed != WindowDeed::move};
}

ActListener::WantsActs OneSidedRaces::wants_acts(Proc proc) const {
  const CallRole role = info(proc).role;
  return {.enter = role == CallRole::start, .leave = role == CallRole::complete};
}

// What it does is not known, or somebody else's matter.
bool OneSidedRaces::ignored(const Process& process, const Call& call) {
  return call.poisoned || call.broken || process.lossy;
}

void OneSidedRaces::on_enter(Process& process, Call& call) {
  const WindowDeed deed = window_call(call.proc()).deed;
  if (deed == WindowDeed::create) active_ = true;
  if (!active_) return;
  State& s = state(process);
  s.last_call = call.seq();
  s.touches = 0;
  place_waiting();
  take_known();
  if (deed != WindowDeed::none) {
    if (deed != WindowDeed::create) enter_window(process, call, window_act(process, call));
    return;
  }
  enter_buffers(process, call, plans_[static_cast<std::size_t>(call.proc())]);
}

void OneSidedRaces::on_leave(Process& process, Call& call, const Event& leave) {
  if (!active_) return;
  place_waiting();
  take_known();
  const WindowDeed deed = window_call(call.proc()).deed;
  if (deed == WindowDeed::create) return;
  if (deed != WindowDeed::none)
    return leave_window(process, call, leave, window_act(process, call));
  State& s = state(process);
  if (const auto pending = s.pending.find(operation_key(call.seq()));
      pending != s.pending.end() && leave.error_class() != 0) {
    for (const AccessId id : pending->second) {
      if (table_.at(id).in_tree) table_.remove(id);
      table_.let_go(id);
    }
    s.pending.erase(pending);
  }
  const auto open = s.open.find(call.seq());
  if (open == s.open.end()) return;
  const AccessEnd over = end_here(process, call, true);
  for (const AccessId id : open->second) {
    end(id, over);
    table_.let_go(id);
  }
  s.open.erase(open);
}

// ---- Buffers of other calls ----
void OneSidedRaces::enter_buffers(Process& process, Call& call, const AccessPlan& plan) {
  State& s = state(process);
  if (ignored(process, call) || (windows_->of(static_cast<std::uint32_t>(process.index)).empty() &&
                                 !s.instrumented && table_.live() == 0))
    return;
  regions_.clear();
  collect(plan, process, call.enter(), regions_);
  if (regions_.empty()) return;
  if (call.info().has(kPersistent)) {
    s.patterns[call.seq()] = regions_;
    return;
  }
  const bool pends = call.info().has(kNonblocking);
  for (const Region& r : regions_) {
    Access a = access_of(process, call, {r.writes ? Touches::call_write : Touches::call_read});
    a.ends_alone = true;
    // Until a blocking one returns the process does nothing else.
    a.at_once = !pends;
    a.transient = !pends && s.segments.empty() && !in_window(a.by(), r.lo, r.hi);
    std::vector<AccessId>& ids = pends ? s.pending[operation_key(call.seq())] : s.open[call.seq()];
    for (const AccessId id : add_own(process, r, a)) ids.push_back(id);
  }
}

void OneSidedRaces::on_enter_acts(Process& process, Call& call, std::span<const Act> acts) {
  if (!active_) return;
  State& s = state(process);
  for (const Act& act : acts) {
    if (act.what != Act::What::started) continue;
    const auto pattern = s.patterns.find(call_of(act.pattern));
    if (pattern == s.patterns.end()) continue;
    for (const Region& r : pattern->second) {
      Access a = access_of(process, call, {r.writes ? Touches::call_write : Touches::call_read});
      a.ends_alone = true;
      for (const AccessId id : add_own(process, r, a)) s.pending[act.op].push_back(id);
    }
  }
}

void OneSidedRaces::on_leave_acts(Process& process, Call& call, const Event&,
                                  std::span<const Act> acts) {
  if (!active_) return;
  State& s = state(process);
  for (const Act& act : acts) {
    if (act.what != Act::What::completed) continue;
    for (const NamedPart& part : act.parts) {
      if (!part.done) continue;
      const AccessEnd over = end_here(process, call, true);
      complete_request(process, call_of(part.op), over);
      const auto pending = s.pending.find(part.op);
      if (pending == s.pending.end()) continue;
      for (const AccessId id : pending->second) {
        end(id, over);
        table_.let_go(id);
      }
      s.pending.erase(pending);
    }
  }
}

// ---- The end ----
void OneSidedRaces::finish() {
  if (!active_) return;
  place_waiting();
  take_known();
  for (const AccessId id : std::exchange(unknown_, {})) {
    if (table_.at(id).start.known())
      compare(id);
    else
      not_judged("what happens before what is not known", table_.at(id).site);
  }
  for (const Unplaced& u : std::exchange(unplaced_, {}))
    not_judged("what memory the target has is not known", table_.at(u.id).site);
  bool lossy = false;
  for (std::size_t i = 0; i < world_.processes(); ++i) lossy = lossy || world_.process(i).lossy;
  if (lossy && active_) {
    not_judged("calls of some ranks were not recorded", {});
  } else {
    findings_.conclude();
    findings_.report();
  }
  for (const auto& [why, gap] : gaps_)
    sink_.not_checked(
        {.what = "one-sided data races", .reason = why, .count = gap.first, .site = gap.second});
  const bool unseen = std::any_of(states_.begin(), states_.end(),
                                  [](const State& s) { return s.moved && !s.instrumented; });
  if (unseen)
    sink_.note(
        "one-sided communication: loads and stores of the program were not seen; build it with "
        "`vouch cc` to have them checked against it");
}

}  // namespace vouch
