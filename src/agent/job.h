// The processes of a job on this node, known by the socket name in their environment.
//
// It reaches what no parent knows any more: ranks whose launcher was killed, children of a script.
// Asked only when a job is to be ended.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vouch {

inline constexpr char kSocketVariable[] = "VOUCH_SOCKET";

// Processes whose environment names this socket, other than the caller.
std::vector<int> job_processes(std::string_view socket);
// Those of them that called MPI: a back end of vouch is loaded.
std::vector<int> job_ranks(std::string_view socket);
// Sends TERM, then KILL to what is still there after the grace period, until nothing is left or the
// processes cannot be killed. New ones that appear meanwhile are ended too. `ranks_only`: leaves
// alone what never called MPI.
void end_job(std::string_view socket, bool ranks_only, int grace_ms = 2000);

}  // namespace vouch
