#include "wait/snapshot.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace vouch::wait {

void RankSet::add(Rank first, Rank last) {
  if (runs_.empty() || first > runs_.back().last + 1) {
    runs_.push_back({first, last});
    return;
  }
  if (first >= runs_.back().first) {
    runs_.back().last = std::max(runs_.back().last, last);
    return;
  }
  RankSet one;
  one.runs_.push_back({first, last});
  add(one);
}

void RankSet::add(const RankSet& other) {
  std::vector<Run> both;
  both.reserve(runs_.size() + other.runs_.size());
  std::merge(runs_.begin(), runs_.end(), other.runs_.begin(), other.runs_.end(),
             std::back_inserter(both));
  runs_.clear();
  for (const Run& run : both) {
    if (!runs_.empty() && run.first <= runs_.back().last + 1) {
      runs_.back().last = std::max(runs_.back().last, run.last);
    } else {
      runs_.push_back(run);
    }
  }
}

bool RankSet::contains(Rank rank) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), rank,
                                      [](Rank r, const Run& run) { return r < run.first; });
  return after != runs_.begin() && rank <= std::prev(after)->last;
}

std::size_t RankSet::size() const {
  std::size_t sum = 0;
  for (const Run& run : runs_) sum += static_cast<std::size_t>(run.last - run.first + 1);
  return sum;
}

std::vector<int> RankSet::list() const {
  std::vector<int> all;
  all.reserve(size());
  for (const Run& run : runs_) {
    for (Rank r = run.first; r <= run.last; ++r) all.push_back(r);
  }
  return all;
}

void Blocked::sort_terms() {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

std::vector<Blocked> aggregate(std::vector<Blocked> single) {
  std::map<Label, std::vector<Blocked>> by_label;
  for (Blocked& b : single) by_label[b.label].push_back(std::move(b));
  std::vector<Blocked> result;
  for (auto& [label, list] : by_label) {
    Snapshot relative, absolute;
    relative.blocked = list;
    for (Blocked& b : relative.blocked) {
      for (Term& t : b.terms) {
        if (t.kind != Term::Kind::rank) continue;
        t.kind = Term::Kind::offset;
        t.rank -= b.ranks.first();
      }
      b.sort_terms();
    }
    absolute.blocked = std::move(list);
    absolute.normalize();
    relative.normalize();
    const bool fewer = relative.blocked.size() < absolute.blocked.size();
    for (Blocked& b : fewer ? relative.blocked : absolute.blocked) result.push_back(std::move(b));
  }
  return result;
}

void Snapshot::merge(const Snapshot& other) {
  blocked.insert(blocked.end(), other.blocked.begin(), other.blocked.end());
  waves.insert(waves.end(), other.waves.begin(), other.waves.end());
  unexpected.insert(unexpected.end(), other.unexpected.begin(), other.unexpected.end());
  running.add(other.running);
  finished.add(other.finished);
  for (const auto& [receiver, senders] : other.undecided) undecided[receiver].add(senders);
  still.add(other.still);
  moving.add(other.moving);
  largest = std::max(largest, other.largest);
  decided = decided || other.decided;
  unmet.add(other.unmet);
  normalize();
}

void Snapshot::normalize() {
  std::sort(blocked.begin(), blocked.end(),
            [](const Blocked& a, const Blocked& b) { return a.key() < b.key(); });
  std::vector<Blocked> joined;
  for (Blocked& b : blocked) {
    if (!joined.empty() && joined.back().key() == b.key()) {
      joined.back().ranks.add(b.ranks);
    } else {
      joined.push_back(std::move(b));
    }
  }
  blocked = std::move(joined);
  const auto place = [](const WaveState& w) { return std::tie(w.comm, w.wave); };
  std::sort(waves.begin(), waves.end(),
            [&](const WaveState& a, const WaveState& b) { return place(a) < place(b); });
  std::vector<WaveState> whole;
  for (WaveState& w : waves) {
    if (!whole.empty() && place(whole.back()) == place(w)) {
      whole.back().came.add(w.came);
    } else {
      whole.push_back(std::move(w));
    }
  }
  waves = std::move(whole);
  std::sort(unexpected.begin(), unexpected.end());
  unexpected.erase(std::unique(unexpected.begin(), unexpected.end()), unexpected.end());
}

std::size_t Snapshot::bytes() const {
  std::size_t sum = (running.runs().size() + finished.runs().size()) * sizeof(RankSet::Run);
  for (const Blocked& b : blocked)
    sum += sizeof(Blocked) + b.terms.size() * sizeof(Term) + b.ranks.runs().size() * 8;
  for (const WaveState& w : waves) sum += sizeof(WaveState) + w.came.runs().size() * 8;
  return sum + unexpected.size() * sizeof(Unexpected);
}

}  // namespace vouch::wait
