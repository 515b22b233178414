// From a witness of prediction to a schedule that a run can be made to follow.

#pragma once

#include "policy/schedule.h"
#include "trace_program/from_events.h"

namespace vouch {

// Every operation with MPI_ANY_SOURCE that got a message in the witness gets it from there again,
// with MPI_ANY_TAG also by its tag. What the witness leaves open stays free.
policy::Schedule forced(const TraceProgram&, const predict::Schedule& witness);

}  // namespace vouch
