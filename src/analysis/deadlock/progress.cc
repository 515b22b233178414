#include "analysis/deadlock/progress.h"

#include <algorithm>
#include <utility>

namespace vouch {
namespace {

// Who has not asked for so long does something else.
constexpr auto kPollGap = std::chrono::seconds(1);
// From one look to the next, at the most. Where it is longer everybody stood still, and who looks
// may be the first to go on.
constexpr auto kLook = std::chrono::milliseconds(300);
constexpr std::uint64_t kLoop = 4;  // polls that make a loop
// Of the processor, for one question and the way to the next. Libraries take 0.2 to 2 microseconds,
// an interpreter's loop as much again.
constexpr auto kQuestion = std::chrono::microseconds(20);
// Who has had the processor for so long, and has not asked, does something else.
constexpr auto kSomethingElse = std::chrono::milliseconds(1);

}  // namespace

std::vector<std::chrono::nanoseconds> processor_times(const World& world, const Pause& pause) {
  std::vector<std::chrono::nanoseconds> times;
  for (std::size_t i = 0; i < world.processes(); ++i)
    times.push_back(pause.worked ? pause.worked(i) : std::chrono::nanoseconds(0));
  return times;
}

void Progress::watch(const Pause& pause) {
  for (std::size_t i = 0; i < pause.polls.size(); ++i) {
    One& p = all_[i];
    const std::uint64_t polls = pause.polls[i] + p.asked_in_vain;
    if (polls != p.polls) p.silent = {};
    if (polls == p.polls && p.silent <= kPollGap) count_silence(p, i, pause);
    if (p.calls != p.called || p.silent > kPollGap) {
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
  looked_ = pause.now;
}

// One that could run and has not is silent for want of a processor.
void Progress::count_silence(One& p, std::size_t index, const Pause& pause) {
  const std::chrono::nanoseconds passed = pause.now - looked_.value_or(pause.now);
  const auto step = std::min<std::chrono::nanoseconds>(passed, kLook);
  const bool loops = p.polls - p.first >= kLoop;
  const auto worked = loops && pause.worked ? pause.worked(index) : p.worked;
  const bool had_processor = worked - std::exchange(p.worked, worked) > kSomethingElse;
  if (!loops || had_processor || !pause.runnable || !pause.runnable(index)) p.silent += step;
}

bool Progress::works_meanwhile(const Process& process, const Pause& pause) const {
  const One* p = all_.find(process);
  if (p == nullptr || !pause.worked) return false;
  const auto worked = pause.worked(process.index) - p->worked_before;
  return worked > kQuestion * (p->polls - p->polls_before + 1);
}

bool Progress::any_polls_without_end() const {
  bool any = false;
  all_.for_each([&](std::size_t, const One& p) { any = any || p.lasts; });
  return any;
}

std::vector<std::uint64_t> Progress::calls() const {
  std::vector<std::uint64_t> calls;
  all_.for_each([&](std::size_t, const One& p) { calls.push_back(p.called); });
  return calls;
}

}  // namespace vouch
