#include "run/run_job.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "agent/agent.h"
#include "run/unseen.h"

namespace vouch {
namespace {

// Nobody has told it to end. A program without a launcher is its own.
bool launcher_died(const Outcome& o, const Job& job) {
  return job.known_launcher && o.signal != 0 && o.interrupted == 0 && !o.timed_out &&
         !o.deadlocked && !o.launcher_stuck;
}

// What kept vouch from seeing the program, if anything did, in the words of who knows it.
void name_obstacles(const Outcome& outcome, const Job& job, Summary& summary) {
  const auto nothing = std::find_if(summary.not_checked.begin(), summary.not_checked.end(),
                                    [](const NotChecked& n) { return n.reason == kNoMpi; });
  // One that was ended at a time limit has something to say about that, too: it counts only where
  // there was nothing else.
  const bool unseen = nothing != summary.not_checked.end();
  if (!outcome.launcher_said.empty() && (unseen || !outcome.timed_out)) {
    if (unseen) summary.not_checked.erase(nothing);
    summary.not_checked.insert(summary.not_checked.begin(),
                               {"the launcher",
                                fmt::format("{} failed itself, with status {}: {}", job.command[0],
                                            outcome.status, outcome.launcher_said),
                                1,
                                {},
                                {}});
    return;
  }
  if (!unseen) return;
  // Its processes never came to MPI because it failed, and the report says that.
  if (!outcome.stuck_said.empty()) {
    summary.not_checked.erase(nothing);
    return;
  }
  if (std::string why = why_unseen(job.command, !job.several); !why.empty())
    nothing->reason += fmt::format(" ({})", why);
}

// What the report is made of: the agent's summary, or the findings that it had sent before it died.
Summary summary_of(Outcome& outcome, const Job& job) {
  Summary summary;
  const auto gap = [](const char* what, std::string reason) {
    return NotChecked{what, std::move(reason), 1, {}, {}};
  };
  if (outcome.summary) {
    summary = std::move(*outcome.summary);
  } else {
    summary.findings = std::move(outcome.findings);
    summary.not_checked.push_back(gap(
        "the run",
        fmt::format("the agent of vouch {}: what came after is not checked", outcome.agent_end)));
  }
  if (outcome.timed_out) {
    summary.not_checked.insert(
        summary.not_checked.begin(),
        gap("the run", fmt::format("it was ended at the time limit of {} s",
                                   static_cast<double>(job.timeout->count()) / 1000.0)));
  }
  if (outcome.launcher_stuck) {
    std::string reason = "it did not notice that a process had died, and was ended";
    if (!outcome.stuck_said.empty()) reason += "; before that it said: " + outcome.stuck_said;
    summary.not_checked.push_back(gap("the launcher", std::move(reason)));
  }
  if (launcher_died(outcome, job)) {
    summary.not_checked.push_back(
        gap("the launcher", fmt::format("it was killed by SIG{}", ::sigabbrev_np(outcome.signal))));
  }
  name_obstacles(outcome, job, summary);
  return summary;
}

}  // namespace

JobResult run_job(const Job& job) {
  Outcome outcome = supervise(job);
  if (!outcome.internal.empty()) return {{kExitInternal, outcome.internal}};
  if (!outcome.not_started.empty()) return {{kExitUsage, outcome.not_started}};
  Summary summary = summary_of(outcome, job);
  return {{}, outcome.status, std::move(summary), launcher_died(outcome, job) ? outcome.signal : 0};
}

}  // namespace vouch
