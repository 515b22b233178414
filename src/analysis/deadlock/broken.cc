// Hangs in calls that have a finding.
//
// By the rules of waiting a collective goes on when all members have come. If they called different
// things, or named different roots, the library may wait forever all the same: nobody knows, since
// the calls have no meaning. It is taken for a hang when such calls have not returned for a while,
// everybody else waits by the rules, and nobody calls anything any more. "Such calls" are
// - those with the finding, and those that complete a request with one. The request may have been
//   made long before the others came: the finding is then on the request, not on an open call;
// - a loop of tests of such a request;
// - after a longer while, any call that waits in a process whose collectives have gone out of step:
//   what the library holds of its messages is not what the rules say.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"
#include "model/named_request.h"

namespace vouch {
namespace {

constexpr auto kBrokenPatience = std::chrono::seconds(2);
constexpr auto kDamagedPatience = std::chrono::seconds(4);

// The requests that a call names and that are still known, in order.
template <typename F>
void each_request(const Process& process, const Call& call, F&& f) {
  for (int i = 0; i < static_cast<int>(call.info().params.size()); ++i) {
    const Param& p = call.info().params[static_cast<std::size_t>(i)];
    if (p.kind != Kind::request || p.dir == Dir::out) continue;
    const std::uint64_t n = p.is_array() ? call.enter().array(i).size() : 1;
    for (std::uint64_t k = 0; k < n; ++k) {
      if (const Request* r = named_request(process, call, i, k).request) f(*r);
    }
  }
}

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

// Where the finding is that this call has, or what it completes. 0: there is none.
Site DeadlockSearch::finding_of(const Process& process, const Call& call) const {
  if (call.harms.has(Harm::hang)) return call.site();
  Site site{};
  if (call.info().family != Family::completion) return site;
  each_request(process, call, [&](const Request& r) {
    if (site.value == 0 && r.state == RequestState::active && r.poisoned) site = r.blamed;
  });
  if (site.value == 0 && process.index < broken_.size()) site = broken_[process.index];
  return site;
}

// By the rules of waiting nothing is known of the call that the thread is in.
bool DeadlockSearch::is_broken(const Process& process, const Thread& thread) const {
  const Call& call = thread.calls[static_cast<std::size_t>(thread.depth) - 1];
  return call.info().has(kBlocking) &&
         (damage().at(process).value != 0 || finding_of(process, call).value != 0);
}

// The same for the call that the process is in, or repeats without end.
Site DeadlockSearch::broken_at(const Process& process) const {
  Site site{};
  const auto has_one = [&](const Call& call) {
    return (site = finding_of(process, call)).value != 0;
  };
  if (blocking_call(process, has_one) != nullptr || !polls_without_end(process)) return site;
  for (const Thread& t : process.threads) {
    if (t.depth == 0 && !t.calls.empty() && has_one(t.calls[0])) return site;
  }
  return site;
}

std::vector<Site> DeadlockSearch::awaited(const Process& process) {
  std::vector<Site> sites;
  const Call* call = blocking_call(process);
  if (call == nullptr) return sites;
  sites.push_back(call->site());
  if (call->info().family != Family::completion) return sites;
  each_request(process, *call, [&](const Request& r) { sites.push_back(r.started); });
  return sites;
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
  const std::vector<RankStatus> all = remote_->ask(others);
  for (const RankStatus& status : all) {
    if (status.over) continue;
    if (!status.inside) return false;
    hang.ranks.push_back(status.rank);
    for (const Site site : status.broken) hang.elsewhere.emplace_back(status.rank, site);
    broken = true;
  }
  return all.size() == others.list().size();
}

std::vector<int> DeadlockSearch::hang_in_broken_calls(const wait::Snapshot& snapshot,
                                                      const Pause& pause) {
  BrokenHang& hang = broken_hang_;
  if (hang.told || (remote_ != nullptr && remote_->quiet_for() < kBrokenPatience)) return {};
  wait::RankSet blocked, polling;
  for (const wait::Blocked& b : snapshot.blocked) {
    if (!b.returned) (b.polling ? polling : blocked).add(b.ranks);
  }
  hang.ranks.clear();
  hang.blamed.clear();
  bool broken = false;
  std::chrono::nanoseconds patience = kBrokenPatience;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.phase >= Phase::finalizing || process.end != End::alive) continue;
    if (feed_->runs_outside(process)) return {};
    const int rank = process.rank.value;
    Site site = broken_at(process);
    if (site.value == 0 && !blocked.contains(rank) &&
        !(polling.contains(rank) && polls_without_end(process))) {
      if (damage().at(process).value == 0 || blocking_call(process) == nullptr) return {};
      site = damage().at(process);
      patience = kDamagedPatience + transfer_time(snapshot);
    }
    broken = broken || site.value != 0;
    hang.ranks.push_back(rank);
    if (site.value != 0) hang.blamed.emplace_back(rank, site);
  }
  if (remote_ != nullptr && !broken_elsewhere(blocked, broken)) return {};
  if (!broken) return {};
  if (hang.calls != calls_) {
    hang.calls = calls_;
    hang.since = pause.now;
    hang.worked = processor_times(pause);
  }
  if (remote_ == nullptr && (pause.now - hang.since < patience ||
                             !had_processor(hang.worked, pause, pause.now - hang.since)))
    return {};
  hang.told = true;
  std::sort(hang.ranks.begin(), hang.ranks.end());
  return hang.ranks;
}

void DeadlockSearch::tell_broken_hang() {
  BrokenHang& hang = broken_hang_;
  if (!hang.told || !stuck_ranks_.empty()) return;
  stuck_ranks_ = hang.ranks;
  const std::string text = fmt::format("and so {} {} forever", rank_words(stuck_ranks_),
                                       stuck_ranks_.size() == 1 ? "waits" : "wait");
  constexpr Harms kCauses = kHangs | Harm::damage;
  for (const auto& [rank, site] : hang.blamed) {
    if (sink_.consequence(WorldRank{rank}, site, kCauses, text)) return;
  }
  for (const auto& [rank, site] : hang.elsewhere) {
    if (sink_.consequence(WorldRank{rank}, site, kCauses, text)) return;
    remote_->blame(rank, site, text);
  }
}

}  // namespace vouch
