// What commands that run a program and report on it understand alike.

#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "run/exit_status.h"
#include "run/run_options.h"

namespace vouch {

struct Common {
  std::vector<std::string> typed;  // the whole command line, to show how to see it again
  std::string json;                // file for the report
  std::vector<std::string> suppressions;
  int error_exitcode = 0;
  bool strict = false, info = false, quiet = false;
  enum class Colour { automatic, always, never } colour = Colour::automatic;
};
Common common_of(const CommandLine&, const std::vector<std::string>& typed);

// The program, its ranks and its library. The error is one sentence: there is none, or an option
// that is none stands in its place.
Result<RunOptions> program_of(const CommandLine&);

// One sentence on standard error. Returns the status.
int complain(int status, const std::string& sentence);
int complain(const Refusal&);

}  // namespace vouch
