// vouch cc, vouch cxx, vouch fc: the user's MPI compiler, with which loads and stores are seen.

#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace vouch {

// One of the commands that compile.
bool compiles(Subcommand);
// Becomes the compiler; returns only where that is not possible.
int compile_command(Subcommand, const std::vector<std::string>& words);

}  // namespace vouch
