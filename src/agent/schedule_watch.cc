#include "agent/schedule_watch.h"

#include <fmt/format.h>

#include "agent/fate.h"
#include "policy/plan.h"

namespace vouch {

ScheduleWatch::ScheduleWatch(World& world, Sink& sink,
                             std::shared_ptr<const policy::Schedule> followed)
    : Analysis(world, sink), followed_(std::move(followed)) {}

ActListener::WantsActs ScheduleWatch::wants_acts(Proc proc) const {
  const bool sees = recorder_.sees(proc);
  return {sees, sees};
}

void ScheduleWatch::on_enter_acts(Process& process, Call& call, std::span<const Act> acts) {
  recorder_.enter(process, call, acts);
}

void ScheduleWatch::on_leave_acts(Process& process, Call& call, const Event& leave,
                                  std::span<const Act> acts) {
  recorder_.leave(process, call, leave, acts);
}

void ScheduleWatch::on_policy(Process& process, int thread, const Event& meta) {
  const auto what = static_cast<wire::Meta>(meta.header().proc);
  if (what == wire::Meta::polls) recorder_.polls(process, meta.word(0));
  if (what != wire::Meta::diverged) return;
  const Thread& t = process.threads[static_cast<std::size_t>(thread)];
  const Call* call = t.depth > 0 ? &t.calls[static_cast<std::size_t>(t.depth) - 1] : nullptr;
  left_it(process, call, policy::explain_divergence(meta));
}

// The first rank that leaves it is told: what others do then may follow from that.
void ScheduleWatch::left_it(const Process& process, const Call* call, const std::string& why) {
  if (told_) return;
  told_ = true;
  NotChecked gap;
  gap.what = std::string(kTheSchedule);
  gap.reason = fmt::format("it could not be followed: {}{}: {}", name_of(process),
                           call != nullptr ? fmt::format(", {}", call->info().name) : "", why);
  gap.count = 1;
  if (call != nullptr) gap.site = call->site();
  sink_.not_checked(std::move(gap));
}

// No record says what a receive got in which the library stopped the process.
void ScheduleWatch::on_match(const Match& match) {
  const Operation& recv = match.recv;
  if (!match.settled || recv.peer != wire::kAnySource) return;
  const Process& process = world_.process(recv.process);
  if (process.ended_by_truncation()) recorder_.took(process, recv.seq, recv.source, recv.met_tag);
}

void ScheduleWatch::on_end(Process& process) {
  if (followed_ == nullptr || process.phase != Phase::finalized) return;
  const auto found = followed_->ranks.find(process.rank.value);
  if (found == followed_->ranks.end() || process.spawned) return;
  const auto& due = found->second;
  std::uint64_t picks = 0;
  for (const policy::PickRun& run : due.picks) picks += run.times;
  const auto short_of = [&](std::uint64_t had, std::uint64_t of, const char* what) {
    if (had >= of) return;
    left_it(process, nullptr,
            fmt::format("it ended after {} {}, the schedule decides {}", had, what, of));
  };
  short_of(recorder_.matches(process), due.matches.size(), "matches");
  short_of(recorder_.picks(process), picks, "picks");
}

}  // namespace vouch
