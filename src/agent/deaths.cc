#include "agent/deaths.h"

#include <algorithm>
#include <utility>

namespace vouch {

void Deaths::add(std::vector<Death> batch, Clock::time_point now) {
  std::stable_partition(batch.begin(), batch.end(), [](const Death& d) { return !d.silent; });
  for (const Death& death : batch) {
    // News of another node may be late: a death with a known reason may have come before silent
    // ones here.
    auto at = held_.end();
    while (!death.silent && death.abnormal && at != held_.begin() && std::prev(at)->death.silent &&
           node(std::prev(at)->death.process) != node(death.process))
      --at;
    held_.insert(at, {death, now});
  }
}

void Deaths::launcher_ended(bool killed, bool succeeded) {
  launcher_ended_ = true;
  launcher_killed_ = killed;
  launcher_succeeded_ = succeeded;
}

std::vector<Deaths::Judged> Deaths::judge(Clock::time_point now, bool all) {
  std::vector<Judged> judged;
  while (!held_.empty()) {
    const auto& [death, noticed] = held_.front();
    const bool stopped = stopping_ || launcher_killed_;
    if (death.abnormal && !all && !stopped) {
      const bool settled = launcher_ended_ || (death.silent ? cause_ >= 0 : now - noticed >= kHold);
      if (!settled) break;
    }
    const bool outside =
        death.abnormal && (stopped || (death.silent && (cause_ >= 0 || launcher_failed_)));
    const bool exited = death.unknown && !outside && launcher_succeeded_;
    if (death.abnormal && !outside && !exited && cause_ < 0)
      cause_ = static_cast<std::ptrdiff_t>(death.process);
    judged.push_back({death.process, exited ? End::exited : death.how, outside});
    held_.pop_front();
  }
  return judged;
}

}  // namespace vouch
