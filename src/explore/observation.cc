#include "explore/observation.h"

#include <algorithm>

namespace vouch::explore {

int Choice::label() const {
  if (!several) return chosen.empty() ? -1 : chosen[0];
  int mask = 0;
  for (const int place : chosen) {
    if (place >= kMostPlaces) return -1;
    mask |= 1 << place;
  }
  return mask;
}

policy::Pick Choice::pick_of(bool several, int label) {
  policy::Pick pick{policy::Pick::What::indices, {}};
  if (!several) pick.indices.push_back(label);
  for (int place = 0; several && place < kMostPlaces; ++place)
    if ((label >> place & 1) != 0) pick.indices.push_back(place);
  return pick;
}

int rank_in(const std::map<int, std::vector<int>>& members, int comm, int process) {
  const auto of = members.find(comm);
  if (of == members.end()) return process;
  return static_cast<int>(std::find(of->second.begin(), of->second.end(), process) -
                          of->second.begin());
}

}  // namespace vouch::explore
