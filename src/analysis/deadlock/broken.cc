// Hangs in calls that have a finding.
//
// By the rules of waiting a collective goes on when all members have come. If they called different
// things, or named different roots, the library may wait for ever all the same: nobody knows, since
// the calls mean nothing. It is taken for a hang when such calls have not returned for a while,
// everybody else waits by the rules, and nobody calls anything any more.

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

constexpr auto kBrokenPatience = std::chrono::seconds(2);

}  // namespace

// The call that the process is in, if it has a finding or completes what has one.
const Call* DeadlockSearch::broken_call(const Process& process) const {
  for (const Thread& t : process.threads) {
    if (t.depth == 0) continue;
    const Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
    const bool completes = call.info().family == Family::completion && call.info().has(kBlocking);
    const bool before =
        process.index < broken_.size() && broken_[process.index].value != 0 && completes;
    if (call.info().has(kBlocking) && (call.broken || before)) return &call;
  }
  return nullptr;
}

std::vector<int> DeadlockSearch::hang_in_broken_calls(const wait::Snapshot& snapshot, Time now) {
  BrokenHang& hang = broken_hang_;
  if (elsewhere_ != nullptr || hang.told) return {};
  wait::RankSet blocked;
  for (const wait::Blocked& b : snapshot.blocked) {
    if (!b.returned && !b.polling) blocked.add(b.ranks);
  }
  hang.ranks.clear();
  bool broken = false;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.phase >= Phase::finalizing || process.end != End::alive) continue;
    const bool here = broken_call(process) != nullptr;
    if (!here && !blocked.contains(process.rank.value)) return {};
    broken = broken || here;
    hang.ranks.push_back(process.rank.value);
  }
  if (!broken) return {};
  if (hang.calls != calls_) {
    hang.calls = calls_;
    hang.since = now;
  }
  if (now - hang.since < kBrokenPatience) return {};
  hang.told = true;
  return hang.ranks;
}

void DeadlockSearch::tell_broken_hang() {
  if (!broken_hang_.told || !stuck_ranks_.empty()) return;
  stuck_ranks_ = broken_hang_.ranks;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    const Call* call = broken_call(process);
    if (call == nullptr) continue;
    const Site site = call->broken ? call->site() : broken_[process.index];
    const std::string text = fmt::format("and so {} {} for ever", rank_words(stuck_ranks_),
                                         stuck_ranks_.size() == 1 ? "waits" : "wait");
    if (sink_.consequence(process.rank, site, text)) return;
  }
}

}  // namespace vouch
