#include "wait/assign.h"

#include <algorithm>
#include <set>
#include <utility>

namespace vouch::wait {
namespace {

static_assert(kMostArrived <= 64);  // bits of a set
constexpr int kSteps = 4096;

bool accepts(const Wanted& w, const Arrived& m) {
  return (w.source == kAnyRank || w.source == m.source) && (w.tag == kAnyTag || w.tag == m.tag);
}

class Search {
 public:
  // Looks for a choice by which the needed ones get (or miss) a message, every one or just one.
  Search(std::span<const Wanted> wanted, std::vector<Arrived> there, bool get, bool every)
      : wanted_(wanted), there_(std::move(there)), get_(get), every_(every) {
    for (const Arrived& m : there_) sources_.push_back(m.source);
    std::sort(sources_.begin(), sources_.end());
    sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
  }
  bool from(std::size_t i, std::uint64_t taken);

 private:
  bool named(Rank source) const {
    return std::any_of(wanted_.begin(), wanted_.end(),
                       [&](const Wanted& w) { return w.source == source; });
  }
  std::vector<std::int32_t> left(Rank source, std::uint64_t taken) const {
    std::vector<std::int32_t> tags;
    for (std::size_t k = 0; k < there_.size(); ++k) {
      if (there_[k].source == source && (taken >> k & 1) == 0) tags.push_back(there_[k].tag);
    }
    return tags;
  }

  const std::span<const Wanted> wanted_;
  const std::vector<Arrived> there_;
  const bool get_, every_;
  std::vector<Rank> sources_;
  std::set<std::pair<std::size_t, std::uint64_t>> failed_;
  int steps_ = 0;
};

bool Search::from(std::size_t i, std::uint64_t taken) {
  if (i == wanted_.size()) return every_;
  if (++steps_ > kSteps) return get_;
  if (failed_.contains({i, taken})) return false;
  const Wanted& w = wanted_[i];
  std::vector<std::size_t> first;  // what it may take, of each source
  for (const Rank source : sources_) {
    if (w.source != kAnyRank && w.source != source) continue;
    for (std::size_t k = 0; k < there_.size(); ++k) {
      if (there_[k].source != source || (taken >> k & 1) != 0 || !accepts(w, there_[k])) continue;
      first.push_back(k);
      break;
    }
  }
  const bool gets = !first.empty();
  if (w.needed && gets == get_ && !every_) return true;
  bool found = false;
  if (!w.needed || gets == get_ || !every_) {
    if (!gets) found = from(i + 1, taken);
    // Sources that nobody names and that have the same left are as good as each other.
    std::set<std::vector<std::int32_t>> tried;
    for (const std::size_t k : first) {
      if (found) break;
      const Rank source = there_[k].source;
      if (!named(source) && !tried.insert(left(source, taken)).second) continue;
      found = from(i + 1, taken | std::uint64_t{1} << k);
    }
  }
  if (!found) failed_.insert({i, taken});
  return found;
}

bool search(std::span<const Wanted> wanted, std::span<const Arrived> there, bool get, bool every) {
  // Those behind the last one that is asked for change nothing.
  while (!wanted.empty() && !wanted.back().needed) wanted = wanted.first(wanted.size() - 1);
  std::vector<Arrived> matter;
  for (const Arrived& m : there) {
    if (std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& w) { return accepts(w, m); }))
      matter.push_back(m);
  }
  if (matter.size() > kMostArrived) return get;
  return Search(wanted, std::move(matter), get, every).from(0, 0);
}

}  // namespace

bool may_get(std::span<const Wanted> wanted, std::span<const Arrived> there, bool all) {
  return search(wanted, there, true, all);
}

bool may_miss(std::span<const Wanted> wanted, std::span<const Arrived> there, bool all) {
  return search(wanted, there, false, !all);
}

}  // namespace vouch::wait
