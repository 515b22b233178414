// Small integers that must not be mixed.

#pragma once

#include <compare>
#include <cstdint>

namespace vouch {

// Rank in MPI_COMM_WORLD of the job (processes of spawned worlds are numbered on from there).
struct WorldRank {
  int value = -1;
  auto operator<=>(const WorldRank&) const = default;
};

// Rank in one communicator or group, meaningless without it.
struct CommRank {
  int value = -1;
  auto operator<=>(const CommRank&) const = default;
};

// A place in the program's text, the same for all ranks: index into SiteTable. 0 is "unknown".
struct Site {
  std::uint32_t value = 0;
  auto operator<=>(const Site&) const = default;
};

}  // namespace vouch
