#include "analysis/deadlock/progress.h"

#include <algorithm>

namespace vouch {
namespace {

// Who has not asked for so long does something else.
constexpr auto kPollGap = std::chrono::seconds(1);
constexpr std::uint64_t kLoop = 4;  // polls that make a loop
// Of the processor, for one question and the way to the next. Libraries take 0.2 to 2 microseconds,
// an interpreter's loop as much again.
constexpr auto kQuestion = std::chrono::microseconds(20);

}  // namespace

std::vector<std::chrono::nanoseconds> processor_times(const World& world, const Pause& pause) {
  std::vector<std::chrono::nanoseconds> times;
  for (std::size_t i = 0; i < world.processes(); ++i)
    times.push_back(pause.worked ? pause.worked(i) : std::chrono::nanoseconds(0));
  return times;
}

void Progress::watch(const Pause& pause) {
  all_.resize(std::max(all_.size(), pause.polls.size()));
  for (std::size_t i = 0; i < pause.polls.size(); ++i) {
    One& p = all_[i];
    const std::uint64_t polls = pause.polls[i] + p.asked_in_vain;
    if (polls != p.polls) p.asked = pause.now;
    if (p.calls != p.called || pause.now - p.asked > kPollGap) {
      p.since = pause.now;
      p.time_before.reset();
      p.time_passes = false;
      p.first = polls;
      p.calls = p.called;
    }
    p.polls = polls;
    p.lasts = pause.now - p.since >= kLoopPatience && polls - p.first >= kLoop;
    if (polls - p.first < kLoop) continue;
    // What was asked before the first round of the loop says nothing of the loop.
    const Pause::TimeUse use = pause.time_use ? pause.time_use(i) : Pause::TimeUse{};
    const std::uint64_t asked = use.asked + p.wtimes;
    if (!p.time_before) {
      p.time_before = asked;
      p.worked_before = pause.worked ? pause.worked(i) : std::chrono::nanoseconds(0);
      p.polls_before = polls;
    }
    p.time_passes = p.time_passes || use.timer || asked != *p.time_before;
  }
}

bool Progress::works_meanwhile(const Process& process, const Pause& pause) const {
  if (process.index >= all_.size() || !pause.worked) return false;
  const One& p = all_[process.index];
  const auto worked = pause.worked(process.index) - p.worked_before;
  return worked > kQuestion * (p.polls - p.polls_before + 1);
}

bool Progress::any_polls_without_end() const {
  return std::any_of(all_.begin(), all_.end(), [](const One& p) { return p.lasts; });
}

std::vector<std::uint64_t> Progress::calls() const {
  std::vector<std::uint64_t> calls;
  for (const One& p : all_) calls.push_back(p.called);
  return calls;
}

}  // namespace vouch
