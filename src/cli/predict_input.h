// Where the trace program that vouch predict decides comes from: a file, or a run of the program.

#pragma once

#include <string>

#include "report/finding.h"
#include "run/exit_status.h"
#include "run/run_job.h"
#include "trace_program/from_events.h"

namespace vouch {

// A trace of a run, its dump, or the text of a trace program. The error is one sentence.
Result<TraceProgram> program_from_file(const std::string& path);

// What a run of the program itself has shown, and its trace.
struct TracedRun {
  Refusal refusal{};
  Summary summary{};
  Result<TraceProgram> trace{Error{}};
  RunOptions options{};  // of that run
  double seconds = 0;
};
TracedRun program_from_run(Prepared, RunOptions);

}  // namespace vouch
