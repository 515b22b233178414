// Deadlocks over several agents: each follows its own ranks, the root judges.

#include <algorithm>

#include "analysis/deadlock/deadlock.h"

namespace vouch {

void DeadlockSearch::spread(int self, const wait::Layout& layout, wait::Network& network,
                            RemoteRanks& remote) {
  self_ = self;
  remote_ = &remote;
  node_ = std::make_unique<wait::Node>(self, layout, &network, buffering_);
  feed_ = std::make_unique<WaitFeed>(world_, *node_);
}

std::optional<wait::Snapshot> DeadlockSearch::look(wait::View view) {
  node_->request_snapshot(view);
  std::optional<wait::Snapshot> snapshot;
  if (remote_ == nullptr) {
    snapshot = node_->take_snapshot();
    if (snapshot) feed_->add_locks(*snapshot);
    return snapshot;
  }
  remote_->wait([&] { return (snapshot = node_->take_snapshot()).has_value(); });
  if (snapshot) {
    unmet_ = snapshot->unmet;
  } else {
    lose_sight();
  }
  return snapshot;
}

void DeadlockSearch::lose_sight() { blind_ = off_ = true; }

void DeadlockSearch::tolerate(wait::Label label) {
  node_->tolerate(label);
  if (remote_ != nullptr && judges()) remote_->tolerate(label);
}

void DeadlockSearch::last_look() {
  if (off_) return;
  feed_->flush();
  last_ = settle();
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
  const Site finding = broken_at(process);
  status.inside = finding.value != 0 && !feed_->runs_outside(process);
  status.over = process.phase >= Phase::finalizing || process.end != End::alive;
  for (const Thread& t : process.threads) {
    for (int i = 0; i < t.depth; ++i) {
      const Call& call = t.calls[static_cast<std::size_t>(i)];
      if (i == 0 && status.call.empty()) status.call = place_of(process, call).call;
      if (call.harms.has(Harm::hang)) status.broken.push_back(call.site());
    }
  }
  if (process.index < broken_.size() && broken_[process.index].value != 0)
    status.broken.push_back(broken_[process.index]);
  if (finding.value != 0 &&
      std::find(status.broken.begin(), status.broken.end(), finding) == status.broken.end())
    status.broken.push_back(finding);
  return status;
}

void DeadlockSearch::learn(const Found& found, const wait::Deadlock& d) {
  if (remote_ == nullptr) return;
  statuses_.clear();
  for (RankStatus& one : remote_->ask(concerned(found, d, node_->groups())))
    statuses_[one.rank] = std::move(one);
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
