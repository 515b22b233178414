// How a process ended, asked by somebody who is not its parent.
//
// A rank says itself how it ends (Meta::exit, Meta::signal), but for SIGKILL, signals that it has
// no handler for, and records that were lost. Its wait status is its launcher's to take; the kernel
// shows it to others as well: in /proc until the launcher has taken it, through the pidfd
// afterwards (Linux 6.15).

#pragma once

#include <optional>

namespace vouch {

// Of a process that is dead. Nothing: the kernel does not say.
std::optional<int> wait_status(int pidfd, int pid);

}  // namespace vouch
