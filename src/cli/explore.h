// vouch explore: run a program again and again until every message race has been covered.

#pragma once

#include <string>
#include <vector>

namespace vouch {

// The words after `explore`; `typed` is the whole command line. Returns the exit status.
int explore_command(std::vector<std::string> words, const std::vector<std::string>& typed);

}  // namespace vouch
