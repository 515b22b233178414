#include "analysis/io/conflict.h"

#include <algorithm>
#include <iterator>

namespace vouch {

std::uint32_t FileConflicts::group_of(const FileAccess& access) {
  const auto [at, is_new] =
      by_key_.emplace(access.key(), static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back(access);
  return at->second;
}

void FileConflicts::add(std::uint32_t group, int rank, std::int64_t lo, std::int64_t hi) {
  if (over_budget_ || lo >= hi) return;  // empty: it ends where numbers do
  const FileAccess& access = groups_[group];
  note(access.shared ? placed_shared : placed, access, rank);
  bytes_.add(lo, hi, group, rank,
             [&](std::uint32_t other, int who, std::int64_t l, std::int64_t h) {
               meet(group, rank, other, who, l, h);
             });
  if (bytes_.size() <= kSegments) return;
  over_budget_ = true;
  bytes_.clear();
}

void FileConflicts::meet(std::uint32_t group, int rank, std::uint32_t other, int other_rank,
                         std::int64_t lo, std::int64_t hi) {
  const FileAccess *a = &groups_[group], *b = &groups_[other];
  if ((!a->writes && !b->writes) || (a->shared && b->shared) || !unsettled(*a, *b)) return;
  if (other_rank < rank) {
    std::swap(a, b);
    std::swap(rank, other_rank);
  }
  Conflict& c = conflicts_[std::minmax(a->site.value, b->site.value)];
  const auto order = [](int ra, int rb, const FileAccess& x, const FileAccess& y) {
    return std::tuple(ra, rb, x.site.value, y.site.value);
  };
  const bool first = c.rank_a < 0;
  if (!first && order(rank, other_rank, *a, *b) > order(c.rank_a, c.rank_b, c.a, c.b)) return;
  if (first || order(rank, other_rank, *a, *b) < order(c.rank_a, c.rank_b, c.a, c.b)) {
    c = {*a, *b, rank, other_rank, lo, hi};
    return;
  }
  c.a.writes = c.a.writes || a->writes;
  c.b.writes = c.b.writes || b->writes;
  c.lo = std::min(c.lo, lo);
  c.hi = std::max(c.hi, hi);
}

void FileConflicts::settle(int rank, std::uint32_t sync) {
  std::uint32_t& mine = settled_[rank];
  const bool last = mine == all_settled_;
  mine = sync;
  if (!last || settled_.size() < members_) return;
  std::uint32_t all = sync;
  for (const auto& [of, latest] : settled_) all = std::min(all, latest);
  if (all == all_settled_) return;
  all_settled_ = all;
  // What nobody can conflict with any more.
  look_at_unplaced();
  for (auto& place : who_) {
    for (Stretches& stretches : place)
      std::erase_if(stretches, [&](const auto& s) { return s.first.synced + 2 <= all; });
  }
  bytes_.forget([&](std::uint32_t g) { return groups_[g].synced + 2 <= all; });
  if (bytes_.size() > 0) return;
  groups_.clear();
  by_key_.clear();
}

void FileConflicts::Who::add(int rank, Site at) {
  if (rank == first || rank == second) return;
  if (first < 0 || rank < first) {
    second = first;
    first = rank;
    site = at;
  } else if (second < 0 || rank < second) {
    second = rank;
  }
}

bool FileConflicts::Who::others_than(const Who& o) const {
  if (first < 0 || o.first < 0) return false;
  return first != o.first || second >= 0 || o.second >= 0;
}

void FileConflicts::add_unplaced(const FileAccess& access, int rank, bool by_shared) {
  note(by_shared ? shared : unknown, access, rank);
}

void FileConflicts::note(Place place, const FileAccess& access, int rank) {
  Stretches& mine = who_[place][access.writes];
  mine[{access.synced, access.settled}].add(rank, access.site);
  if (mine.size() <= kStretches) return;
  const auto [at, who] = *mine.begin();
  const auto [next, more] = *std::next(mine.begin());
  mine.erase(mine.begin(), std::next(mine.begin(), 2));
  Who& both = mine[{std::max(at.synced, next.synced), std::min(at.settled, next.settled)}];
  for (const Who& w : {who, more}) {
    if (w.first >= 0) both.add(w.first, w.site);
    if (w.second >= 0) both.add(w.second, w.site);
  }
}

bool FileConflicts::others_meet(const Stretch& at, const Who& mine, const Stretches& theirs) const {
  return std::any_of(theirs.begin(), theirs.end(), [&](const auto& other) {
    return unsettled(at, other.first) && mine.others_than(other.second);
  });
}

// Only what is unsettled, so that it does not matter how far each process has been read.
void FileConflicts::look_at_unplaced() {
  for (const Place here : {unknown, shared}) {
    for (const bool writes : {false, true}) {
      for (const Place there : {placed, unknown, placed_shared, shared}) {
        if (here == shared && (there == shared || there == placed_shared)) continue;
        for (const bool theirs : {false, true}) {
          if (!writes && !theirs) continue;
          for (const auto& [at, mine] : who_[here][writes]) {
            if (!others_meet(at, mine, who_[there][theirs])) continue;
            if (!may_conflict_ || mine.site.value < may_conflict_at_.value)
              may_conflict_at_ = mine.site;
            may_conflict_ = true;
          }
        }
      }
    }
  }
}

bool FileConflicts::unplaced(Site& site) {
  look_at_unplaced();
  site = may_conflict_at_;
  return may_conflict_;
}

}  // namespace vouch
