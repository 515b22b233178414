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
           moment(*std::prev(at)) > clocks_.here(node(death.process), death.hung_up))
      --at;
    held_.insert(at, {death, now});
  }
}

void Deaths::launcher_ended(Clock::time_point now, bool killed, bool succeeded, int status) {
  status_ = status;
  launcher_ended_ = now;
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

bool Deaths::names_one_unseen() const {
  return missing_ && named_ != 0 && std::none_of(held_.begin(), held_.end(), [&](const Held& h) {
           return h.death.pid == named_;
         });
}

bool Deaths::over_nodes() const {
  return std::any_of(held_.begin(), held_.end(), [&](const Held& h) {
    return node(h.death.process) != node(held_.front().death.process);
  });
}

// No other process of its node died silently at the same time.
bool Deaths::alone(const Held& one) const {
  return std::none_of(held_.begin(), held_.end(), [&](const Held& other) {
    return &other != &one && other.death.silent &&
           node(other.death.process) == node(one.death.process) &&
           std::chrono::abs(moment(other) - moment(one)) < kTogether;
  });
}

// Whether `peer` was lost before `one` gave up, by what is known of the two. On one node the
// launcher may have ended the peer while `one` was still on its way out, so more is asked for
// there.
bool Deaths::lost_before(const Held& peer, const Held& one) const {
  const Death& lost = peer.death;
  if (!lost.abnormal || lost.gave_up) return false;
  const bool before = moment(peer) + kNews < moment(one);
  if (node(lost.process) == node(one.death.process)) return lost.silent && before && alone(peer);
  return !lost.silent || before || alone(peer);
}

// The only one that died outside MPI, at the same time as the first, if their order is in doubt:
// that of one node's is known.
std::deque<Deaths::Held>::iterator Deaths::suspect() {
  const Held& held = held_.front();
  const Death& first = held.death;
  if (first.outside_mpi || !(first.silent || first.gave_up)) return held_.end();
  const auto suspicious = [&](const Held& h) {
    return h.death.silent && h.death.outside_mpi && (h.death.crowded || first.crowded) &&
           node(h.death.process) != node(first.process) &&
           std::chrono::abs(moment(h) - moment(held)) < kDoubt;
  };
  const auto one = std::find_if(held_.begin(), held_.end(), suspicious);
  if (one == held_.end() || std::any_of(std::next(one), held_.end(), suspicious))
    return held_.end();
  return one;
}

void Deaths::put_first(std::deque<Held>::iterator one) {
  const Held held = *one;
  held_.erase(one);
  held_.push_front(held);
}

// Silent ones are in the order of their moments. A number that processes of two nodes have says
// nothing.
std::deque<Deaths::Held>::iterator Deaths::first_of_named_node() {
  const Death& first = held_.front().death;
  const auto is_named = [&](const Held& h) { return named_ != 0 && h.death.pid == named_; };
  const auto named = std::find_if(held_.begin(), held_.end(), is_named);
  if (named == held_.end() || !named->death.silent || !(first.silent || first.gave_up) ||
      std::any_of(std::next(named), held_.end(), is_named))
    return held_.end();
  return std::find_if(held_.begin(), held_.end(), [&](const Held& h) {
    return h.death.silent && node(h.death.process) == node(named->death.process);
  });
}

// One that failed by itself before any silent one of its node was gone.
std::deque<Deaths::Held>::iterator Deaths::failed_first() {
  if (!held_.front().death.silent) return held_.end();
  return std::find_if(held_.begin(), held_.end(), [&](const Held& one) {
    const Death& death = one.death;
    return death.abnormal && !death.silent && !death.gave_up &&
           std::none_of(held_.begin(), held_.end(), [&](const Held& other) {
             return other.death.silent && node(other.death.process) == node(death.process) &&
                    moment(other) <= moment(one);
           });
  });
}

void Deaths::put_the_cause_first() {
  if (over_nodes()) order_nodes();
  if (const auto one = failed_first(); one != held_.end()) put_first(one);
}

// In a job on one node a lost peer ends nobody: libraries share memory there, and do not notice.
void Deaths::order_nodes() {
  const Held& first = held_.front();
  // What is known of other nodes' clocks may have changed since they came.
  const auto spoken =
      std::find_if(held_.begin(), held_.end(), [](const Held& h) { return !h.death.silent; });
  std::stable_sort(held_.begin(), spoken,
                   [&](const Held& a, const Held& b) { return moment(a) < moment(b); });
  if (first.death.gave_up) {
    const auto peer = std::find_if(held_.begin(), held_.end(),
                                   [&](const Held& h) { return lost_before(h, first); });
    if (peer != held_.end()) put_first(peer);
  }
  if (const auto one = suspect(); one != held_.end()) put_first(one);
  if (const auto one = first_of_named_node(); one != held_.end()) put_first(one);
}

bool Deaths::settled(const Held& held, Clock::time_point now) const {
  if (!held.death.abnormal || held.death.stopped || stopping_ || launcher_killed_) return true;
  if (launcher_ended_ && now - *launcher_ended_ >= kHold) return true;
  return held.death.silent || held.death.gave_up ? cause_ >= 0 : now - held.noticed >= kHold;
}

std::vector<Deaths::Judged> Deaths::judge(Clock::time_point now, bool all) {
  std::vector<Judged> judged;
  while (!held_.empty()) {
    if (cause_ < 0 && (all || launcher_ended_)) put_the_cause_first();
    if (!all && !settled(held_.front(), now)) break;
    const Death& death = held_.front().death;
    const bool stopped = stopping_ || launcher_killed_ || death.stopped;
    const bool outside =
        death.abnormal && (stopped || (death.silent && (cause_ >= 0 || launcher_failed_)) ||
                           launcher_means_another(death) ||
                           ((death.silent || death.gave_up) && cause_ < 0 && names_one_unseen()) ||
                           (death.gave_up && cause_ >= 0 && !cause_gave_up_));
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
