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
    while (!death.silent && death.abnormal && !death.gave_up && at != held_.begin() &&
           std::prev(at)->death.silent && node(std::prev(at)->death.process) != node(death.process))
      --at;
    while (death.silent && at != held_.begin() && std::prev(at)->death.silent &&
           node(std::prev(at)->death.process) == node(death.process) &&
           std::prev(at)->death.order > death.order)
      --at;
    held_.insert(at, {death, now});
  }
}

void Deaths::launcher_ended(bool killed, bool succeeded, int status) {
  status_ = status;
  launcher_ended_ = true;
  launcher_killed_ = killed;
  launcher_succeeded_ = succeeded;
}

// A launcher's status is that of the first process that failed. One that died before its first MPI
// call was never seen here, and the launcher ends the others: then the status fits none of those
// that were seen. For a signal Open MPI gives 128 + its number, Hydra the number.
bool Deaths::launcher_means_another(const Death& death) const {
  if (!death.silent || death.signal == 0 || status_ <= 0) return false;
  return std::none_of(held_.begin(), held_.end(), [&](const Held& h) {
    const Death& d = h.death;
    return d.abnormal &&
           (!d.silent || d.signal == 0 || d.signal == status_ || 128 + d.signal == status_);
  });
}

// No other process of its node died silently at the same time.
bool Deaths::alone(const Held& one) const {
  return std::none_of(held_.begin(), held_.end(), [&](const Held& other) {
    return &other != &one && other.death.silent &&
           node(other.death.process) == node(one.death.process) &&
           std::chrono::abs(other.noticed - one.noticed) < kTogether;
  });
}

void Deaths::put_the_lost_peer_first() {
  const Held& first = held_.front();
  const auto peer = std::find_if(held_.begin(), held_.end(), [&](const Held& h) {
    return h.death.abnormal && !h.death.gave_up &&
           node(h.death.process) != node(first.death.process) && (!h.death.silent || alone(h));
  });
  if (peer == held_.end()) return;
  const Held lost = *peer;
  held_.erase(peer);
  held_.push_front(lost);
}

std::vector<Deaths::Judged> Deaths::judge(Clock::time_point now, bool all) {
  std::vector<Judged> judged;
  while (!held_.empty()) {
    if (cause_ < 0 && held_.front().death.gave_up && (all || launcher_ended_))
      put_the_lost_peer_first();
    const auto& [death, noticed] = held_.front();
    const bool stopped = stopping_ || launcher_killed_;
    if (death.abnormal && !all && !stopped) {
      const bool waits = death.silent || death.gave_up;
      const bool settled = launcher_ended_ || (waits ? cause_ >= 0 : now - noticed >= kHold);
      if (!settled) break;
    }
    const bool outside =
        death.abnormal &&
        (stopped || (death.silent && (cause_ >= 0 || launcher_failed_)) ||
         launcher_means_another(death) || (death.gave_up && cause_ >= 0 && !cause_gave_up_));
    const bool exited = death.unknown && !outside && launcher_succeeded_;
    if (death.abnormal && !outside && !exited && cause_ < 0) {
      cause_ = static_cast<std::ptrdiff_t>(death.process);
      cause_gave_up_ = death.gave_up;
      cause_finalized_ = death.finalized;
    }
    const bool late = outside && !stopped && cause_finalized_;
    judged.push_back(
        {death.process, exited || late ? End::exited : death.how, outside, death.gave_up});
    held_.pop_front();
  }
  return judged;
}

}  // namespace vouch
