// From the events of one run to its trace program (predict/ctp.h).
//
// A process of the program is a rank of MPI_COMM_WORLD; its operations are those its calls asked
// for, in the order of the calls. What the run decided by chance is left out: which message a
// wildcard got. What the program itself decided on is kept: which of several requests a
// MPI_Waitany found complete counts as that request's wait, and a test or probe that found nothing
// left no trace.
//
//     MPI_Send, MPI_Recv      the operation, and its wait
//     MPI_Isend, MPI_Start    the operation; the call that completes it is its wait
//     MPI_Sendrecv            both, and one wait for them
//     MPI_Mprobe              a receive and its wait; MPI_Mrecv adds nothing
//     collectives             synchronisation in the direction in which data flow
//
// What the program does not show is named: a clean verdict would promise too much.

#pragma once

#include <vector>

#include "base/result.h"
#include "event/text.h"
#include "predict/ctp.h"
#include "report/finding.h"

namespace vouch {

struct TraceProgram {
  predict::Program program{};
  std::vector<NotChecked> not_checked{};
};

// Fails with one sentence: members of a collective that disagree, no process at all, ...
Result<TraceProgram> program_of(const TextTrace&);

}  // namespace vouch
