// vouch trace: what a run has kept, as text.

#pragma once

#include <string>
#include <vector>

namespace vouch {

// The words after `trace`. Returns the exit status.
int trace_command(const std::vector<std::string>& words);

}  // namespace vouch
