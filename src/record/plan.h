// The decisions of a schedule as a rank finds them: flat, in memory that it shares with its agent.
//
// They lie behind the bell's page (ring.h) and never change, so that a rank needs no question to
// follow them. One PlanRank per rank of MPI_COMM_WORLD; offsets are from the header. What a
// decision means is told in src/policy/schedule.h.

#pragma once

#include <cstdint>

namespace vouch {

inline constexpr std::uint32_t kPlanMagic = 0x76636c70;
inline constexpr std::int32_t kPlanFree = -1, kPlanNever = -2, kPlanNoTag = -1;

struct PlanHeader {
  std::uint32_t magic;
  std::uint32_t ranks;
  std::uint64_t bytes;  // of all, this header included
};
static_assert(sizeof(PlanHeader) == 16);

struct PlanRank {
  std::uint64_t matches, picks;  // offsets of PlanMatch[], PlanPick[]
  std::uint64_t match_count, pick_count;
};
static_assert(sizeof(PlanRank) == 32);

struct PlanMatch {
  std::int32_t source;  // or kPlanFree, kPlanNever
  std::int32_t tag;     // or kPlanNoTag
};
static_assert(sizeof(PlanMatch) == 8);

enum class PlanPickKind : std::uint32_t { free, no, yes, undefined, indices };

struct PlanPick {
  std::uint64_t times;
  PlanPickKind kind;
  std::uint32_t count;    // of indices
  std::uint64_t indices;  // offset of std::int32_t[]
};
static_assert(sizeof(PlanPick) == 24);

}  // namespace vouch
