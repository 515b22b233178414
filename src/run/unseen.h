// Why no process of a job called MPI where vouch could see it.
//
// "Nothing was checked" helps nobody: most of the time the command tells the reason.

#pragma once

#include <string>
#include <vector>

namespace vouch {

// One clause: "./app is statically linked ...". "": the command does not tell. `alone`: vouch had
// no agent on other nodes.
std::string why_unseen(const std::vector<std::string>& command, bool alone);

}  // namespace vouch
