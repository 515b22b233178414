// vouch run, vouch record and vouch replay: check one run of a program.

#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace vouch {

// Runs, reports, and returns the exit status. `typed`: the whole command line.
int run_command(const CommandLine&, const std::vector<std::string>& typed);

}  // namespace vouch
