// Fatal signals are told to the agent and then handed on, so that the process dies exactly as it
// would have.

#pragma once

namespace vouch::shim {

// Puts our handlers in front of those that are there now. Once, after MPI has installed its own.
void chain_signals();

}  // namespace vouch::shim
