// Deadlocks over several agents: each follows its own ranks, the root judges.

#include <algorithm>

#include "analysis/deadlock/deadlock.h"

namespace vouch {

void DeadlockSearch::spread(int self, const wait::Layout& layout, wait::Network& network,
                            Elsewhere& elsewhere) {
  self_ = self;
  elsewhere_ = &elsewhere;
  node_ = std::make_unique<wait::Node>(self, layout, &network, buffering_);
  feed_ = std::make_unique<WaitFeed>(world_, *node_);
}

std::optional<wait::Snapshot> DeadlockSearch::look(wait::View view) {
  node_->request_snapshot(view);
  std::optional<wait::Snapshot> snapshot;
  if (elsewhere_ == nullptr) {
    snapshot = node_->take_snapshot();
    if (snapshot) feed_->add_locks(*snapshot);
    return snapshot;
  }
  elsewhere_->wait([&] { return (snapshot = node_->take_snapshot()).has_value(); });
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
  if (elsewhere_ != nullptr && judges()) elsewhere_->tolerate(label);
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

Elsewhere::Doing DeadlockSearch::doing(const Process& process) const {
  Elsewhere::Doing doing;
  doing.rank = process.rank.value;
  const Site finding = broken_at(process);
  doing.inside = finding.value != 0 && !feed_->runs_outside(process);
  doing.over = process.phase >= Phase::finalizing || process.end != End::alive;
  for (const Thread& t : process.threads) {
    for (int i = 0; i < t.depth; ++i) {
      const Call& call = t.calls[static_cast<std::size_t>(i)];
      if (i == 0 && doing.call.empty()) doing.call = place_of(process, call).call;
      if (call.harms.has(Harm::hang)) doing.broken.push_back(call.site());
    }
  }
  if (process.index < broken_.size() && broken_[process.index].value != 0)
    doing.broken.push_back(broken_[process.index]);
  if (finding.value != 0 &&
      std::find(doing.broken.begin(), doing.broken.end(), finding) == doing.broken.end())
    doing.broken.push_back(finding);
  return doing;
}

void DeadlockSearch::learn(const Found& found, const wait::Deadlock& d) {
  if (elsewhere_ == nullptr) return;
  doing_.clear();
  for (Elsewhere::Doing& one : elsewhere_->ask(concerned(found, d, node_->groups())))
    doing_[one.rank] = std::move(one);
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
