// Deadlocks over several agents: each follows its own ranks, the root judges.

#include <algorithm>
#include <utility>

#include "analysis/deadlock/deadlock.h"

namespace vouch {

void DeadlockSearch::spread(int self, const wait::Layout& layout, wait::Network& network,
                            RemoteRanks& remote) {
  self_ = self;
  remote_ = &remote;
  node_ = std::make_unique<wait::Node>(self, layout, &network, buffering_);
  node_->set_limits(limits_);
  feed_ = std::make_unique<WaitFeed>(world_, *node_);
}

Task<std::optional<wait::Snapshot>> DeadlockSearch::look(wait::View view) {
  node_->request_snapshot(view);
  std::optional<wait::Snapshot> snapshot;
  if (remote_ == nullptr) {
    snapshot = node_->take_snapshot();
    if (snapshot) feed_->add_locks(*snapshot);
    co_return snapshot;
  }
  co_await answers_.until([&] { return (snapshot = node_->take_snapshot()).has_value(); },
                          kAnswers);
  if (snapshot) {
    unmet_ = snapshot->unmet;
  } else {
    lose_sight();
  }
  co_return snapshot;
}

void DeadlockSearch::lose_sight() { blind_ = off_ = true; }

void DeadlockSearch::tolerate(wait::Label label) {
  node_->tolerate(label);
  if (remote_ != nullptr && judges()) remote_->tolerate(label);
}

Task<> DeadlockSearch::last_look() {
  if (off_) co_return;
  feed_->flush();
  last_ = co_await settle();
  wait::RankSet all;
  for (const wait::Deadlock& d : last_->verdict.deadlocks) {
    if (d.manifest) all.add(concerned(*last_, d, node_->groups()));
  }
  if (!all.empty()) co_await learn(std::move(all));
}

Task<std::vector<RankStatus>> DeadlockSearch::ask(wait::RankSet ranks) {
  remote_->ask(ranks);
  co_await answers_.until([this] { return remote_->answered(); }, kAnswers);
  co_return remote_->take_answers();
}

// Ranks of the core, and those they wait for.
wait::RankSet DeadlockSearch::concerned(const Found& found, const wait::Deadlock& d,
                                        const wait::Groups& groups) {
  wait::RankSet all = d.finished;
  for (const wait::Stuck& s : d.core) {
    all.add(s.ranks);
    for (const wait::Term& t : s.terms)
      all.add(wait::targets(t, s.ranks.first(), found.snapshot, groups));
  }
  return all;
}

RankStatus DeadlockSearch::status_of(const Process& process) const {
  RankStatus status;
  status.rank = process.rank.value;
  const Site finding = broken_.at(process);
  status.inside = finding.value != 0 && !feed_->runs_outside(process);
  status.over = process.phase >= Phase::finalizing || process.end != End::alive;
  for (const Thread& t : process.threads) {
    for (int i = 0; i < t.depth; ++i) {
      const Call& call = t.calls[static_cast<std::size_t>(i)];
      if (i == 0 && status.call.empty()) status.call = place_of(process, call).call;
      if (call.harms.has(Harm::hang)) status.broken.push_back(call.site());
    }
  }
  if (const Site latest = broken_.latest(process); latest.value != 0)
    status.broken.push_back(latest);
  if (finding.value != 0 &&
      std::find(status.broken.begin(), status.broken.end(), finding) == status.broken.end())
    status.broken.push_back(finding);
  return status;
}

// What these ranks do, as far as they are elsewhere.
Task<> DeadlockSearch::learn(wait::RankSet concerned) {
  if (remote_ == nullptr) co_return;
  std::vector<RankStatus> all = co_await ask(std::move(concerned));
  statuses_.clear();
  for (RankStatus& one : all) statuses_[one.rank] = std::move(one);
}

// What has returned has not waited; then everybody stands where he really is. What is elsewhere
// tells only by the next state whether it moved.
Task<std::optional<DeadlockSearch::Found>> DeadlockSearch::hang_in_silence(
    const wait::Snapshot& snapshot, const Pause& pause) {
  if (!silence_.lasts(snapshot, pause, remote_ != nullptr) ||
      !silence_.knows_all(snapshot, node_->groups()))
    co_return std::nullopt;
  silence_.begin(pause.now);
  constexpr int kRounds = 4096;
  Found found;
  found.silent = true;
  for (int round = 0; round < kRounds; ++round) {
    std::optional<wait::Snapshot> now = co_await look({.silent = true});
    if (!now) co_return std::nullopt;
    const wait::Snapshot before = std::exchange(found.snapshot, std::move(*now));
    bool moved = remote_ != nullptr && (found.snapshot.blocked != before.blocked ||
                                        found.snapshot.running != before.running);
    for (const wait::Blocked& b : found.snapshot.blocked) {
      if (!b.returned || b.polling) continue;
      for (const int r : b.ranks.list()) moved = node_->relax(r) || moved;
    }
    if (!moved) break;
  }
  found.verdict = wait::judge(found.snapshot, node_->groups());
  if (found.verdict.empty()) co_return std::nullopt;
  co_return found;
}

Task<std::vector<int>> DeadlockSearch::hang_in_broken_calls(const wait::Snapshot& snapshot,
                                                            const Pause& pause) {
  const std::vector<int> nobody;
  const bool remote = remote_ != nullptr;
  if (broken_.found() || (remote && remote_->quiet_for() < BrokenHang::kPatience)) co_return nobody;
  if (!broken_.all_here_wait(snapshot, *feed_)) co_return nobody;
  if (remote) {
    const wait::RankSet others = broken_.to_be_asked();
    const std::vector<RankStatus> all = co_await ask(others);
    if (!broken_.all_others_wait(all) || all.size() != others.list().size()) co_return nobody;
  }
  if (!broken_.lasts(pause, remote)) co_return nobody;
  co_return broken_.ranks();
}

void DeadlockSearch::tell_broken_hang() {
  if (!broken_.found() || !stuck_ranks_.empty()) return;
  stuck_ranks_ = broken_.ranks();
  broken_.tell(sink_, remote_);
}

// Positions are known where the ranks are; each state tells who stands where the one before showed
// him.
bool DeadlockSearch::lasts_everywhere(const Found& found, Time now) {
  wait::RankSet suspects;
  for (const wait::Deadlock& d : found.verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) suspects.add(s.ranks);
  }
  const std::vector<int> ranks = suspects.list();
  const bool stood =
      std::all_of(found.still.begin(), found.still.end(), [&](const wait::RankSet& still) {
        return std::all_of(ranks.begin(), ranks.end(), [&](int r) { return still.contains(r); });
      });
  if (!stood || suspects != suspect_ranks_) {
    suspect_ranks_ = suspects;
    since_ = now;
  }
  return !suspects.empty() && now - since_ >= kPatience;
}

}  // namespace vouch
