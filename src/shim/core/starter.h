// An agent for this node, if there is none: the first rank that finds nobody starts it.

#pragma once

namespace vouch::shim {

// Connects to the agent of this node, which is started if VOUCH_JOIN says whom it may join. -1:
// there is none. `patience_ms`: see record/agent_watch.h.
int connect_or_start(const char* socket, int patience_ms);
// The same where it must be there already.
int connect_again(const char* socket, int patience_ms);

}  // namespace vouch::shim
