// vouch run: check one run of a program.

#pragma once

#include <string>
#include <vector>

#include "run/exit_status.h"
#include "run/run_options.h"

namespace vouch {

struct ReportOptions {
  std::vector<std::string> typed;  // the command line as typed, to show how to see it again
  std::string json;
  std::string picture;  // file for the graph of a deadlock: .svg or .dot
  std::string record;   // file for the schedule of the run
  std::vector<std::string> suppressions;
  int error_exitcode = kExitError;
  bool strict = false, info = false, quiet = false;
  enum class Colour { automatic, always, never } colour = Colour::automatic;
};

// Runs, reports, and returns the exit status.
int run(const RunOptions&, const ReportOptions&);

}  // namespace vouch
