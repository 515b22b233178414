#include <algorithm>

#include "model/effect.h"

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
  constexpr std::size_t kMost = std::size_t{1} << 14;
  return static_cast<std::size_t>(members.size) <= kMost + 64 * members.runs.size();
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
  return outside || (members != nullptr && !members->all_known());
}

}  // namespace vouch
