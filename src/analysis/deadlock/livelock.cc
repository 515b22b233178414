// Ranks that ask again and again for what nobody will do any more.
//
// A loop of tests or probes may end by itself, so nothing is said at once: what is suspected after
// two seconds is dropped when one of the ranks does something else. After ten seconds it is told:
// as a warning if others go on, as an error, and the end of the job, if everybody waits or asks in
// vain. How often a rank has asked does not count, only that it goes on asking: a rank may have to
// wait long for a processor.
//
// Misses: ranks on other nodes; how often they ask is not known.

#include <algorithm>

#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

constexpr auto kLoopPatience = std::chrono::seconds(2);
constexpr auto kLongLoop = std::chrono::seconds(8);  // on top
// Who has not asked for so long does something else.
constexpr auto kPollGap = std::chrono::seconds(1);
constexpr std::uint64_t kLoop = 4;  // polls that make a loop

}  // namespace

void DeadlockSearch::watch_polls(const Pause& pause) {
  polling_.resize(std::max(polling_.size(), pause.polls.size()));
  calls_.resize(std::max(calls_.size(), pause.polls.size()));
  asked_.resize(std::max(asked_.size(), pause.polls.size()));
  for (std::size_t i = 0; i < pause.polls.size(); ++i) {
    Polling& p = polling_[i];
    const std::uint64_t polls = pause.polls[i] + asked_[i];
    if (polls != p.polls) p.asked = pause.now;
    if (p.calls != calls_[i] || pause.now - p.asked > kPollGap) {
      p.since = pause.now;
      p.first = polls;
      p.calls = calls_[i];
    }
    p.polls = polls;
    p.lasts = pause.now - p.since >= kLoopPatience && polls - p.first >= kLoop;
  }
}

bool DeadlockSearch::polls_without_end(const Process& process) const {
  return process.index < polling_.size() && polling_[process.index].lasts;
}

// Ranks that are stuck for good if nobody does anything else.
std::vector<int> DeadlockSearch::search_livelock(const Pause& pause) {
  if (livelock_.told || elsewhere_ != nullptr) return {};
  const auto lasts = [](const Polling& p) { return p.lasts; };
  if (std::none_of(polling_.begin(), polling_.end(), lasts)) {
    livelock_.found.reset();
    return {};
  }
  feed_->flush();
  Found found;
  found.snapshot = look().value();
  found.verdict = wait::judge(found.snapshot, node_->groups(), {.polls = true});
  std::erase_if(found.verdict.deadlocks, [&](const wait::Deadlock& d) {
    bool polls = false, lasting = true;
    for (const wait::Stuck& s : d.core) {
      if (!s.polling) continue;
      polls = true;
      for (const int r : s.ranks.list()) {
        const Process* p = process_of(r);
        lasting = lasting && p != nullptr && polls_without_end(*p);
      }
    }
    return !polls || !lasting || !d.manifest;
  });
  if (found.verdict.deadlocks.empty()) {
    livelock_.found.reset();
    return {};
  }
  if (!livelock_.found || livelock_.found->verdict.deadlocks != found.verdict.deadlocks)
    livelock_.since = pause.now;
  livelock_.found = std::move(found);
  if (pause.now - livelock_.since < kLongLoop) return {};
  const wait::Verdict& verdict = livelock_.found->verdict;
  wait::RankSet waits;  // or asks, and not only by the rules
  for (const wait::Blocked& b : livelock_.found->snapshot.blocked) {
    if (!b.returned) waits.add(b.ranks);
  }
  livelock_.everybody = true;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    if (p.phase >= Phase::finalizing || p.end != End::alive) continue;
    const bool inside = blocking_call(p) != nullptr || polls_without_end(p);
    livelock_.everybody = livelock_.everybody && inside && waits.contains(p.rank.value) &&
                          verdict.ranks.contains(p.rank.value);
  }
  if (livelock_.everybody) return verdict.ranks.list();
  tell_livelock(Severity::warning);
  return {};
}

void DeadlockSearch::tell_livelock(Severity severity) {
  const Found found = std::move(*livelock_.found);
  livelock_.found.reset();
  livelock_.told = true;
  if (severity == Severity::error) stuck_ranks_ = found.verdict.ranks.list();
  for (const wait::Deadlock& d : found.verdict.deadlocks) {
    Report report = report_of(found, d, false);
    report.rule = Rule::deadlock_livelock;
    report.severity = severity;
    report.message += severity == Severity::error ? "; nobody does anything else any more"
                                                  : "; it may stop asking by itself";
    sink_.report(std::move(report));
  }
}

// The run was ended before it was sure.
void DeadlockSearch::tell_unfinished_livelock() {
  if (!livelock_.found || livelock_.told) return;
  const std::vector<int> ranks = livelock_.found->verdict.ranks.list();
  const bool still = std::all_of(ranks.begin(), ranks.end(), [&](int r) {
    const Process* p = process_of(r);
    return p != nullptr && p->phase == Phase::running;
  });
  if (still) tell_livelock(Severity::warning);
}

}  // namespace vouch
