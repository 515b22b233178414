// Ranks that ask again and again for what nobody will do any more.
//
// A loop of tests or probes may end by itself: what is suspected after two seconds is dropped when
// one of the ranks does something else, however late. Whether it will is not to be seen, but a loop
// that gives up after a while has to know that time passes: it reads a clock or sleeps while it
// asks, or has set a timer. Where it does not, everybody waits or asks in vain, and that has lasted
// for ten seconds, it is an error and the end of the job. Else it is a warning if it still asks
// when the run is ended.
// How often a rank has asked does not count, only that it goes on asking: a rank may have to wait
// long for a processor.
//
// Misses: ranks on other nodes; how often they ask is not known.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

constexpr auto kLongLoop = std::chrono::seconds(8);  // on top of Progress::kLoopPatience

}  // namespace

// Ranks that are stuck for good if nobody does anything else.
std::vector<int> DeadlockSearch::search_livelock(const Pause& pause) {
  if (livelock_.told || remote_ != nullptr) return {};
  if (!progress_.any_polls_without_end()) {
    livelock_.found.reset();
    return {};
  }
  feed_->flush();
  Found found;
  found.snapshot = look().run().value();
  found.verdict = wait::judge(found.snapshot, node_->groups(), {.polls = true});
  std::erase_if(found.verdict.deadlocks, [&](const wait::Deadlock& d) {
    bool polls = false, lasting = true;
    for (const wait::Stuck& s : d.core) {
      if (!s.polling) continue;
      polls = true;
      for (const int r : s.ranks.list()) {
        const Process* p = process_of(r);
        lasting = lasting && p != nullptr && progress_.polls_without_end(*p);
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
    const bool inside = blocking_call(p) != nullptr || progress_.polls_without_end(p);
    livelock_.everybody = livelock_.everybody && inside && waits.contains(p.rank.value) &&
                          verdict.ranks.contains(p.rank.value);
  }
  if (livelock_.everybody && !may_stop_asking()) return verdict.ranks.list();
  livelock_.everybody = false;
  if (!std::exchange(livelock_.noticed, true)) notice_livelock();
  return {};
}

// Whether one of those that ask learns how long it has asked.
bool DeadlockSearch::may_stop_asking() const {
  for (const wait::Deadlock& d : livelock_.found->verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) {
      if (!s.polling) continue;
      for (const int r : s.ranks.list()) {
        const Process* p = process_of(r);
        if (p == nullptr || progress_.time_passes(*p)) return true;
      }
    }
  }
  return false;
}

void DeadlockSearch::notice_livelock() {
  for (const wait::Deadlock& d : livelock_.found->verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) {
      if (!s.polling) continue;
      notice_ = fmt::format(
          "{} {} asked at {} for {} s for what nobody will do as things are; the loop may end by "
          "itself, and Ctrl-C ends the job and gives the report",
          rank_words(s.ranks.list()), s.ranks.size() == 1 ? "has" : "have", mention(s.label.site),
          std::chrono::duration_cast<std::chrono::seconds>(Progress::kLoopPatience + kLongLoop)
              .count());
      return;
    }
  }
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
    report.advice =
        "Let the rank that should send do so before it waits, or let the loop end without the "
        "message.";
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
