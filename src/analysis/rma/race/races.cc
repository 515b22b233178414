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
  if (!active_) return {.enter = deed == WindowDeed::create};
  const bool buffers = touches_buffers(plans_[static_cast<std::size_t>(proc)]);
  if (deed == WindowDeed::none)
    return {.enter = buffers, .leave = buffers || proc == Proc::parrived};
  return {.enter = true, .leave = deed != WindowDeed::move};
}

ActListener::WantsActs OneSidedRaces::wants_acts(Proc proc) const {
  if (!active_) return {};
  const CallRole role = info(proc).role;
  return {.enter = role == CallRole::start || role == CallRole::ready,
          .leave = role == CallRole::complete};
}

// From here on there is memory that others can touch. A program without any costs nothing.
void OneSidedRaces::begin() {
  if (active_) return;
  active_ = true;
  want_again();
}

// What it does is not known, or somebody else's matter.
bool OneSidedRaces::ignored(const Process& process, const Call& call) {
  return call.poisoned || call.broken || process.lossy;
}

void OneSidedRaces::on_enter(Process& process, Call& call) {
  const WindowDeed deed = window_call(call.proc()).deed;
  if (deed == WindowDeed::create) begin();
  if (!active_) return;
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
  if (call.proc() == Proc::parrived) return arrive(process, call, leave);
  State& s = state(process);
  if (const auto pending = s.pending.find(operation_key(call.seq()));
      pending != s.pending.end() && leave.error_class() != 0) {
    for (const AccessId id : pending->second.ids) {
      if (table_.at(id).in_tree) table_.remove(id);
      table_.let_go(id);
    }
    s.pending.erase(pending);
  }
  const auto open = s.open.find(call.seq());
  if (open == s.open.end()) return;
  end_buffers(open->second, end_here(process, call, true));
  s.open.erase(open);
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
