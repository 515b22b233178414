// What the parts of a guided run share: its plan, and what it tells the agent.

#pragma once

#include "shim/core/call.h"
#include "shim/core/lib.h"
#include "shim/guided/plan_cursor.h"

namespace vouch::shim {

extern PlanCursor plan_cursor;

inline constexpr std::uint32_t kMostTold = 64;  // indices of one pick

void tell_decided(Call&, wire::DecisionKind, std::uint64_t number, const std::uint64_t* rest,
                  std::uint32_t count);
// Call and decision do not fit: nothing is decided any more.
void diverge(Call&, wire::DecisionKind, std::uint64_t number, wire::DivergenceReason,
             std::int64_t expected, std::int64_t found);
// True: source, tag and perhaps the communicator are now those decided. `place`: in MPI_Startall.
bool apply_match(Call&, const MatchDecision&, MPI_Comm&, int& source, int& tag, bool parks,
                 std::uint64_t place);

}  // namespace vouch::shim
