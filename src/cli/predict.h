// vouch predict: decide all schedules of a trace.

#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace vouch {

// `typed` is the whole command line. Returns the exit status.
int predict_command(const CommandLine&, const std::vector<std::string>& typed);

}  // namespace vouch
