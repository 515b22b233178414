// Starts the ranks of MPICH on this machine, without a launcher: this process is their process
// manager.
//
// A job that runs for milliseconds is dominated by its start. Hydra's own part of it is two
// processes and their start-up; this one forks the ranks and answers them.

#pragma once

#include <string>
#include <vector>

namespace vouch::launch {

// Runs the job to its end and returns its status as a launcher would. For a process of its own: it
// waits for its children, and a rank that fails ends the others.
int run_ranks(int ranks, const std::vector<std::string>& command);

// What makes MPI_Init cheap where a program is started again and again: the machine's topology is
// told rather than looked up (two thirds of its time), and no transport between nodes is set up.
// Variables that the user has set stay as they are.
std::vector<std::pair<std::string, std::string>> quick_start_environment();

}  // namespace vouch::launch
