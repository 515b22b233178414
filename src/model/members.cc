#include <algorithm>

#include "model/effect.h"

namespace vouch {
namespace {

constexpr std::size_t kListed = std::size_t{1} << 14;

// Where in the run the rank is; -1: nowhere.
int place_in(const RankRun& run, int rank) {
  if (run.first < 0 || rank < 0) return -1;
  const int distance = rank - run.first;
  if (run.stride == 0) return distance == 0 ? 0 : -1;
  const int place = distance / run.stride;
  return distance % run.stride == 0 && place >= 0 && place < run.length ? place : -1;
}

}  // namespace

Members Members::of(const std::vector<int>& ranks) {
  Members m;
  m.size = static_cast<int>(ranks.size());
  for (std::size_t i = 0; i < ranks.size();) {
    RankRun run{ranks[i], 0, 1};
    if (i + 1 < ranks.size()) {
      run.stride = ranks[i + 1] - ranks[i];
      // Processes outside this world are alike; a known rank cannot be followed by one in a run.
      const bool mixed = (ranks[i] < 0) != (ranks[i + 1] < 0);
      while (!mixed && i + static_cast<std::size_t>(run.length) < ranks.size() &&
             (ranks[i + static_cast<std::size_t>(run.length)] < 0) == (run.first < 0) &&
             ranks[i + static_cast<std::size_t>(run.length)] ==
                 run.first + run.stride * run.length) {
        ++run.length;
      }
    }
    if (run.length == 1) run.stride = 0;
    i += static_cast<std::size_t>(run.length);
    m.runs.push_back(run);
  }
  return m;
}

std::vector<int> Members::list() const {
  std::vector<int> ranks;
  ranks.reserve(static_cast<std::size_t>(size));
  for (const RankRun& run : runs) {
    for (int i = 0; i < run.length; ++i) ranks.push_back(run.first + i * run.stride);
  }
  return ranks;
}

// As of() makes them from the list, without making the list: that may be far longer than its runs.
void Members::normalize() {
  std::vector<RankRun> made;
  for (RankRun rest : runs) {
    while (rest.length > 0) {
      RankRun* last = made.empty() ? nullptr : &made.back();
      const bool mixed = last != nullptr && (last->first < 0) != (rest.first < 0);
      if (last != nullptr && last->length == 1 && !mixed) {
        last->stride = rest.first - last->first;
      } else if (last == nullptr || mixed ||
                 rest.first != last->first + last->stride * last->length) {
        made.push_back({rest.first, 0, 1});
        last = nullptr;
      }
      if (last != nullptr) ++last->length;
      rest.first += rest.stride;
      --rest.length;
      // The rest of the run goes on as the last one does, all at once.
      RankRun& open = made.back();
      if (rest.length > 0 && open.length == 1) {
        open.stride = rest.stride;
        open.length += rest.length;
        rest.length = 0;
      } else if (rest.length > 0 && open.stride == rest.stride) {
        open.length += rest.length;
        rest.length = 0;
      }
    }
  }
  runs = std::move(made);
  size = 0;
  for (const RankRun& run : runs) size += run.length;
}

bool listable(const Members& members) {
  return static_cast<std::size_t>(members.size) <= kListed + 64 * members.runs.size();
}

Members first_of(const Members& members, int count) {
  Members some;
  for (const RankRun& run : members.runs) {
    if (count <= 0) break;
    some.runs.push_back({run.first, run.stride, std::min(run.length, count)});
    count -= run.length;
  }
  return some;
}

bool Members::all_known() const {
  return std::none_of(runs.begin(), runs.end(), [](const RankRun& run) { return run.first < 0; });
}

WorldRank Members::world_of(CommRank rank) const {
  int r = rank.value;
  if (r < 0) return {};
  for (const RankRun& run : runs) {
    if (r < run.length) return run.first < 0 ? WorldRank{} : WorldRank{run.first + r * run.stride};
    r -= run.length;
  }
  return {};
}

CommRank Members::rank_of(WorldRank world) const {
  int before = 0;
  for (const RankRun& run : runs) {
    if (const int place = place_in(run, world.value); place >= 0) return {before + place};
    before += run.length;
  }
  return {};
}

WorldRank first_outside(const Members& some, const Members& all) {
  for (const RankRun& run : some.runs) {
    if (run.first < 0) continue;
    const int last = run.first + (run.length - 1) * run.stride;
    const bool inside = std::any_of(all.runs.begin(), all.runs.end(), [&](const RankRun& other) {
      return place_in(other, run.first) >= 0 && place_in(other, last) >= 0 &&
             (run.length == 1 || (other.stride != 0 && run.stride % other.stride == 0));
    });
    for (int i = 0; !inside && i < std::min<int>(run.length, kListed); ++i) {
      const WorldRank rank{run.first + i * run.stride};
      if (all.rank_of(rank).value < 0) return rank;
    }
  }
  return {};
}

bool Communicator::connects() const {
  switch (made_by) {
    case Proc::comm_spawn:
    case Proc::comm_spawn_multiple:
    case Proc::comm_accept:
    case Proc::comm_connect:
    case Proc::comm_join:
      return true;
    default:
      return false;
  }
}

bool Communicator::leads_outside() const {
  return outside || (members != nullptr && !members->all_known());
}

}  // namespace vouch
