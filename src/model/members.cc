#include "model/objects.h"

#include <algorithm>

namespace vouch {

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

void Members::normalize() {
  std::erase_if(runs, [](const RankRun& run) { return run.length <= 0; });
  if (runs.size() > 1) {
    *this = of(list());
  } else if (runs.size() == 1 && runs[0].length == 1) {
    runs[0].stride = 0;
  }
  size = 0;
  for (const RankRun& run : runs) size += run.length;
}

bool Members::all_known() const {
  return std::none_of(runs.begin(), runs.end(), [](const RankRun& run) { return run.first < 0; });
}

WorldRank Members::world(CommRank rank) const {
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
    const int distance = world.value - run.first;
    if (run.first >= 0 && world.value >= 0) {
      if (run.stride == 0) {
        if (distance == 0) return {before};
      } else if (distance % run.stride == 0 && distance / run.stride >= 0 &&
                 distance / run.stride < run.length) {
        return {before + distance / run.stride};
      }
    }
    before += run.length;
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
  return connects() || made_by == Proc::comm_get_parent ||
         (members != nullptr && !members->all_known());
}

}  // namespace vouch
