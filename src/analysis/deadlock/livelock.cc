// Ranks that ask again and again for what nobody will do any more.
//
// A loop of tests or probes may end by itself: what is suspected after two seconds is dropped when
// one of the ranks does something else, however late. Whether it will is not to be seen, but what a
// loop needs to end is: it reads a clock, sleeps or has set a timer, so that it can give up; it
// looks at files; it computes between its questions, and comes to an end of that; another thread, a
// child or the handler of a signal may change what it looks at. Where nothing of that is so,
// everybody waits or asks in vain, and that has lasted for ten seconds, it is an error and the end
// of the job. Else it is a warning if it still asks when the run is ended.
// How often a rank has asked does not count against time, only against its use of the processor: a
// rank may have to wait long for one.
//
// Misses: ranks on other nodes; how often they ask is not known. A loop that counts its questions
// and gives up after ten seconds of them; memory that an unrelated process shares. Loops that read
// a flag in a window (MPI_Get, MPI_Fetch_and_op and a flush): a loop that moves the same data a
// given number of times makes the same calls, so that it waits cannot be seen.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

constexpr auto kLongLoop = std::chrono::seconds(8);  // on top of Progress::kLoopPatience
constexpr auto kBehind = std::chrono::seconds(3);    // the same

}  // namespace

// Ranks that are stuck for good if nobody does anything else.
std::vector<int> DeadlockSearch::search_livelock(const Pause& pause) {
  if (livelock_.told || remote_ != nullptr) return {};
  if (!progress_.any_polls_without_end()) {
    livelock_.found.reset();
    livelock_.behind.reset();
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
    return !polls || !lasting;
  });
  go_on_behind_sends(found, pause);
  std::erase_if(found.verdict.deadlocks, [](const wait::Deadlock& d) { return !d.manifest; });
  if (found.verdict.deadlocks.empty()) {
    livelock_.found.reset();
    return {};
  }
  if (!livelock_.found || livelock_.found->verdict.deadlocks != found.verdict.deadlocks)
    livelock_.since = pause.now;
  livelock_.found = std::move(found);
  // What a reason led to takes time to show, so the time counts from the last one.
  if (may_stop_asking(pause)) livelock_.reason = pause.now;
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
  if (livelock_.everybody && pause.now - livelock_.reason >= kLongLoop) return verdict.ranks.list();
  livelock_.everybody = false;
  if (!std::exchange(livelock_.noticed, true)) notice_livelock();
  return {};
}

// One that asks in vain may have been sent something else, which nobody receives. That its sender
// might have been blocked by it is one thing; where the sender has got to since is what counts
// here.
void DeadlockSearch::go_on_behind_sends(const Found& found, const Pause& pause) {
  const bool any = std::any_of(found.verdict.deadlocks.begin(), found.verdict.deadlocks.end(),
                               [](const wait::Deadlock& d) { return !d.manifest; });
  if (!any) livelock_.behind.reset();
  if (any && !livelock_.behind) livelock_.behind = pause.now;
  if (any && pause.now - *livelock_.behind >= kBehind) let_returned_go_on(found);
}

// Whether one of those that ask may have a reason to stop.
bool DeadlockSearch::may_stop_asking(const Pause& pause) const {
  bool may = false;  // all are looked at each time: a thread sleeps only if two looks say so
  for (const wait::Deadlock& d : livelock_.found->verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) {
      if (!s.polling) continue;
      for (const int r : s.ranks.list()) {
        const Process* p = process_of(r);
        may = may || p == nullptr || progress_.time_passes(*p) ||
              progress_.works_meanwhile(*p, pause) ||
              (pause.has_child && pause.has_child(p->index));
        if (p != nullptr && !only_asks(*p, pause)) may = true;
      }
    }
  }
  return may;
}

// No thread but the one that asks can act. Where several threads may call MPI that is already known
// (threads.cc).
bool DeadlockSearch::only_asks(const Process& process, const Pause& pause) const {
  return feed_->counts_threads(process) || process.threads.size() != 1 || !pause.one_acts ||
         pause.one_acts(process.index);
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
