// vouch trace: look at the events that a run has kept.

#pragma once

#include "cli/command_line.h"

namespace vouch {

// Returns the exit status.
int trace_command(const CommandLine&);

}  // namespace vouch
