// Schedules that a whole exploration need not run (alone.h).

#include "explore/campaign.h"

namespace vouch::explore {
namespace {

constexpr double kSolverSeconds = 60;
constexpr int kMostFruitless = 2;
constexpr std::size_t kWorthwhile = 3;  // alternatives

}  // namespace

void Campaign::prove(Ran& ran) {
  if (!limits_.prove) return;
  if (!ran.alone) {
    std::size_t open = 0;
    for (const Event& e : search_.latest().events) open += e.alternatives.size();
    if (open < kWorthwhile || fruitless_ >= kMostFruitless) return;
    const auto plan = plan_alone(ran.seen, search_.latest(), ran.job.forced);
    if (!plan.ok()) {
      if (proved_ == 0) unproved_ = plan.error();
      return;
    }
    if (limits_.no_buffering && !never_stuck(ran.seen, kSolverSeconds)) {
      unproved_ = "without buffering some schedule might be stuck";
      return;
    }
    ran.alone = runner_.alone(ran, plan.value());
    if (ran.alone->whole && ran.alone->sources_vary && limits_.no_buffering) {
      ran.alone->whole = false;
      ran.alone->why = "which sources it names depends on what it got; see --buffering as-run";
    }
  }
  const Alone& alone = *ran.alone;
  if (!alone.whole) {
    unproved_ = alone.why;
    ++fruitless_;
    return;
  }
  if (!search_.prove(ran.job, alone.differing)) return;
  const std::uint64_t gained = alone.same > 0 ? alone.same - 1 : 0;
  proved_ += gained;
  fruitless_ = gained < 2 + alone.differing.size() ? fruitless_ + 1 : 0;
}

}  // namespace vouch::explore
