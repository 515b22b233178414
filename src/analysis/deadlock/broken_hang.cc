#include "analysis/deadlock/broken_hang.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/deadlock/silence.h"
#include "model/named_request.h"
#include "report/finding.h"

namespace vouch {
namespace {

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

const Call* blocking_call(const Process& process, const std::function<bool(const Call&)>& fits) {
  for (const Thread& t : process.threads) {
    if (t.depth == 0) continue;
    const Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
    if (call.info().has(kBlocking) && (!fits || fits(call))) return &call;
  }
  return nullptr;
}

std::vector<Site> awaited(const Process& process) {
  std::vector<Site> sites;
  const Call* call = blocking_call(process);
  if (call == nullptr) return sites;
  sites.push_back(call->site());
  if (call->info().family != Family::completion) return sites;
  each_request(process, *call, [&](const Request& r) { sites.push_back(r.started); });
  return sites;
}

void BrokenHang::note(const Process& process, Site call) { latest_[process] = call; }

bool BrokenHang::any_noted() const {
  bool any = false;
  latest_.for_each([&](std::size_t, Site site) { any = any || site.value != 0; });
  return any;
}

// Where the finding is that this call has, or what it completes. 0: there is none.
Site BrokenHang::finding_of(const Process& process, const Call& call) const {
  if (call.harms.has(Harm::hang)) return call.site();
  Site site{};
  if (call.info().family != Family::completion) return site;
  each_request(process, call, [&](const Request& r) {
    if (site.value == 0 && r.state == RequestState::active && r.poisoned) site = r.blamed;
  });
  return site.value == 0 ? latest(process) : site;
}

bool BrokenHang::is_broken(const Process& process, const Thread& thread) const {
  const Call& call = thread.calls[static_cast<std::size_t>(thread.depth) - 1];
  return call.info().has(kBlocking) &&
         (damage().at(process).value != 0 || finding_of(process, call).value != 0);
}

Site BrokenHang::at(const Process& process) const {
  Site site{};
  const auto has_one = [&](const Call& call) {
    return (site = finding_of(process, call)).value != 0;
  };
  if (blocking_call(process, has_one) != nullptr || !progress_.polls_without_end(process))
    return site;
  for (const Thread& t : process.threads) {
    if (t.depth == 0 && !t.calls.empty() && has_one(t.calls[0])) return site;
  }
  return site;
}

bool BrokenHang::all_here_wait(const wait::Snapshot& snapshot, const WaitFeed& feed) {
  blocked_ = {};
  wait::RankSet polling;
  for (const wait::Blocked& b : snapshot.blocked) {
    if (!b.returned) (b.polling ? polling : blocked_).add(b.ranks);
  }
  ranks_.clear();
  blamed_.clear();
  elsewhere_.clear();
  broken_ = false;
  patience_ = kPatience;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.phase >= Phase::finalizing || process.end != End::alive) continue;
    if (feed.runs_outside(process)) return false;
    const int rank = process.rank.value;
    Site site = at(process);
    if (site.value == 0 && !blocked_.contains(rank) &&
        !(polling.contains(rank) && progress_.polls_without_end(process))) {
      site = damage().at(process);
      if ((site.value == 0 && !any_noted()) || blocking_call(process) == nullptr) return false;
      patience_ = kDamagedPatience + Silence::transfer_time(snapshot);
    }
    broken_ = broken_ || site.value != 0;
    ranks_.push_back(rank);
    if (site.value != 0) blamed_.emplace_back(rank, site);
  }
  // Who waits only for what others should have done is stuck because of their calls.
  if (patience_ <= kPatience) return true;
  latest_.for_each([&](std::size_t i, Site site) {
    if (site.value == 0) return;
    broken_ = true;
    blamed_.emplace_back(world_.process(i).rank.value, site);
  });
  return true;
}

wait::RankSet BrokenHang::to_be_asked() {
  wait::RankSet others;
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    if (world_.here(WorldRank{rank}) || world_.owner(WorldRank{rank}) < 0) continue;
    if (blocked_.contains(rank)) {
      ranks_.push_back(rank);
    } else {
      others.add(rank);
    }
  }
  return others;
}

bool BrokenHang::all_others_wait(const std::vector<RankStatus>& all) {
  for (const RankStatus& status : all) {
    if (status.over) continue;
    if (!status.inside) return false;
    ranks_.push_back(status.rank);
    for (const Site site : status.broken) elsewhere_.emplace_back(status.rank, site);
    broken_ = true;
  }
  return true;
}

bool BrokenHang::lasts(const Pause& pause, bool remote) {
  if (!broken_) return false;
  if (std::vector<std::uint64_t> calls = progress_.calls(); calls_ != calls) {
    calls_ = std::move(calls);
    since_ = pause.now;
    worked_ = processor_times(world_, pause);
  }
  const auto waited = pause.now - since_;
  if (!remote &&
      (waited < patience_ || !Silence::had_processor(world_, worked_, pause, waited, remote)))
    return false;
  found_ = true;
  std::sort(ranks_.begin(), ranks_.end());
  return true;
}

void BrokenHang::tell(Sink& sink, RemoteRanks* remote) const {
  const std::string text = fmt::format("and so {} {} forever", rank_words(ranks_),
                                       ranks_.size() == 1 ? "waits" : "wait");
  constexpr Harms kCauses = kHangs | Harm::damage;
  for (const auto& [rank, site] : blamed_) {
    if (sink.consequence(WorldRank{rank}, site, kCauses, text)) return;
  }
  for (const auto& [rank, site] : elsewhere_) {
    if (sink.consequence(WorldRank{rank}, site, kCauses, text)) return;
    remote->blame(rank, site, text);
  }
}

}  // namespace vouch
