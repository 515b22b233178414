// Where a rank stands in its plan (record/plan.h).
//
// Two lists, two positions. A decision that lies behind the end of its list is free.

#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "record/plan.h"

namespace vouch::shim {

struct MatchDecision {
  std::uint64_t number;
  PlanMatch match;
  bool free() const { return match.source == kPlanFree; }
};

struct PickDecision {
  std::uint64_t number;
  PlanPickKind kind;
  const std::int32_t* indices;
  std::uint32_t count;
};

class PlanCursor {
 public:
  // The plan's part for this rank. A malformed plan decides nothing.
  void open(const std::byte* plan, std::uint64_t bytes, int rank);

  // The next match. `take` false: only looked at.
  MatchDecision match(bool take);
  PickDecision pick();
  void stop();  // from now on all is free

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  const std::byte* plan_ = nullptr;
  PlanRank mine_{};
  std::uint64_t next_match_ = 0, next_pick_ = 0;
  std::uint64_t run_ = 0, used_ = 0;  // of the picks: which run, and how many of it are taken
  bool stopped_ = false;
};

}  // namespace vouch::shim
