// vouch agent: what a rank starts on a node that has no agent yet. Not for users.

#pragma once

namespace vouch {

// Listens for ranks, goes on in the background and returns at once; the exit status.
int agent_command();

}  // namespace vouch
