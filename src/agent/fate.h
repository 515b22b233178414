// What a process's records tell of its end, and the words for it.

#pragma once

#include <string>

#include "agent/deaths.h"
#include "model/process.h"
#include "report/finding.h"

namespace vouch {

// "rank 3", or "process 4711" of one that never told its rank.
std::string name_of(const Process&);

// It has not initialised MPI, or finalized it.
bool outside_mpi(const Process&);

// What kind of death it was. `told`: what is known of it (Pipeline::told); `signal`: 0 if none is.
Deaths::Death death_of(const Process&, End told, int exit_status, int signal);

// How far it got, for one that was ended from outside: "rank 0: it was in MPI_Recv(source=1) WHEN".
NotChecked last_seen(const Process&, const std::string& when);
// It lives, or lived, on without telling us anything.
NotChecked gone_on(const Process&);
// It exited with this status, or is gone and nobody knows how (-1), and its last calls were not
// recorded.
NotChecked unseen_end(const Process&, int exit_status);

}  // namespace vouch
