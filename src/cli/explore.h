// vouch explore: run a program again and again until every message race has been covered.

#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace vouch {

// `typed` is the whole command line. Returns the exit status.
int explore_command(const CommandLine&, const std::vector<std::string>& typed);

}  // namespace vouch
