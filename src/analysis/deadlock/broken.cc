// Hangs in calls that have a finding.
//
// By the rules of waiting a collective goes on when all members have come. If they called different
// things, or named different roots, the library may wait for ever all the same: nobody knows, since
// the calls mean nothing. It is taken for a hang when such calls have not returned for a while,
// everybody else waits by the rules, and nobody calls anything any more.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

constexpr auto kBrokenPatience = std::chrono::seconds(2);

}  // namespace

const Call* DeadlockSearch::blocking_call(const Process& process,
                                          const std::function<bool(const Call&)>& fits) {
  for (const Thread& t : process.threads) {
    if (t.depth == 0) continue;
    const Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
    if (call.info().has(kBlocking) && (!fits || fits(call))) return &call;
  }
  return nullptr;
}

// The call that the process is in, if it has a finding or completes what has one.
const Call* DeadlockSearch::broken_call(const Process& process) const {
  const bool before = process.index < broken_.size() && broken_[process.index].value != 0;
  return blocking_call(process, [&](const Call& call) {
    return call.broken || (before && call.info().family == Family::completion);
  });
}

// Whether all ranks of other nodes wait, by the rules or in such calls.
bool DeadlockSearch::broken_elsewhere(const wait::RankSet& blocked, bool& broken) {
  BrokenHang& hang = broken_hang_;
  hang.elsewhere.clear();
  wait::RankSet others;
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    if (world_.here(WorldRank{rank}) || world_.owner(WorldRank{rank}) < 0) continue;
    if (blocked.contains(rank)) {
      hang.ranks.push_back(rank);
    } else {
      others.add(rank);
    }
  }
  const std::vector<Elsewhere::Doing> all = elsewhere_->ask(others);
  for (const Elsewhere::Doing& doing : all) {
    if (doing.over) continue;
    if (!doing.inside) return false;
    hang.ranks.push_back(doing.rank);
    for (const Site site : doing.broken) hang.elsewhere.emplace_back(doing.rank, site);
    broken = true;
  }
  return all.size() == others.list().size();
}

std::vector<int> DeadlockSearch::hang_in_broken_calls(const wait::Snapshot& snapshot, Time now) {
  BrokenHang& hang = broken_hang_;
  if (hang.told || (elsewhere_ != nullptr && elsewhere_->quiet_for() < kBrokenPatience)) return {};
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
  if (elsewhere_ != nullptr && !broken_elsewhere(blocked, broken)) return {};
  if (!broken) return {};
  if (hang.calls != calls_) {
    hang.calls = calls_;
    hang.since = now;
  }
  if (elsewhere_ == nullptr && now - hang.since < kBrokenPatience) return {};
  hang.told = true;
  std::sort(hang.ranks.begin(), hang.ranks.end());
  return hang.ranks;
}

void DeadlockSearch::tell_broken_hang() {
  if (!broken_hang_.told || !stuck_ranks_.empty()) return;
  stuck_ranks_ = broken_hang_.ranks;
  const std::string text = fmt::format("and so {} {} for ever", rank_words(stuck_ranks_),
                                       stuck_ranks_.size() == 1 ? "waits" : "wait");
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    const Call* call = broken_call(process);
    if (call == nullptr) continue;
    const Site site = call->broken ? call->site() : broken_[process.index];
    if (sink_.consequence(process.rank, site, text)) return;
  }
  for (const auto& [rank, site] : broken_hang_.elsewhere) {
    if (sink_.consequence(WorldRank{rank}, site, text)) return;
    elsewhere_->blame(rank, site, text);
  }
}

}  // namespace vouch
