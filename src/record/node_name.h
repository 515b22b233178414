// The name of an agent's socket on a node other than the root's.
//
// Names of abstract sockets can be read by every user of their node. If all agents of a job
// listened under one name, another user who has read it on the first node could listen under it on
// a node where no agent is yet. So the name on such a node is derived from the job's invitation,
// which is secret, and from the place where the name counts: the kernel and its network namespace.
// A name that was read on one node says nothing about the names on the others.

#pragma once

#include <string_view>

namespace vouch {

inline constexpr int kNodeNameSize = 48;

// Writes a name, with its end, for this node or for the place that is given.
void node_name(std::string_view invitation, char (&name)[kNodeNameSize]);
void node_name(std::string_view invitation, std::string_view place, char (&name)[kNodeNameSize]);

}  // namespace vouch
