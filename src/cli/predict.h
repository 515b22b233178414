// vouch predict: decide all schedules of a trace.

#pragma once

#include <string>
#include <vector>

namespace vouch {

// The words after `predict`; `typed` is the whole command line. Returns the exit status.
int predict_command(std::vector<std::string> words, const std::vector<std::string>& typed);

}  // namespace vouch
