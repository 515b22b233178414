// What vouch predict is asked to do.

#pragma once

#include <string>

#include "cli/command_line.h"
#include "predict/questions/findings.h"
#include "run/run_options.h"

namespace vouch {

struct PredictOptions {
  bool live = false;   // a program is run, and its trace decided
  RunOptions run{};    // of that program
  std::string file{};  // the trace, otherwise
  predict::QuestionOptions questions{};
  predict::Asked asked{};
  bool confirm = true;      // replay what was found
  std::string schedules{};  // file for the schedule of each finding
};

// The error is one sentence.
Result<PredictOptions> predict_options_of(const CommandLine&);

}  // namespace vouch
