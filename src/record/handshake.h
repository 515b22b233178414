// How a rank and its agent find each other.
//
// The agent listens on an abstract Unix socket (SOCK_SEQPACKET) whose name is in VOUCH_SOCKET; on
// other nodes than the root's its name is a secret (node_name.h). Every user of the machine may
// listen or connect under a name that he has read, so each side asks the system who the other one
// is before anything is sent. A process connects once. For each of its rings it sends one
// wire::Hello with the ring's memfd; the agent answers the first one with one byte and the bell's
// memfd, and says nothing to later ones. Nothing else is ever sent: the connection tells each side
// that the other still lives (a process that ends, in whatever way, hangs up). The wire version
// stands in the Hello: an agent that speaks another one closes the connection.

#pragma once

#include "event/wire.h"

namespace vouch {

// The process at the other end, if it belongs to the same user, else -1; 0 where it cannot be seen
// from here (another namespace of processes). Of a connection that was
// made to a name: the process that listened.
int peer_of(int connection);

// The agent's side. -1 on failure, errno tells why.
int listen_for_ranks(const char* name);
int accept_rank(int listening);
// 1: got one; 0: the rank hung up; -1: nothing now (the socket is not blocking) or not understood
// (errno EPROTO).
int receive_hello(int connection, wire::Hello& hello, int& memfd);
bool send_bell(int connection, int bell_memfd);

// The rank's side. -1: nobody listens there, or another user does.
int connect_to_agent(const char* name);
bool send_hello(int connection, const wire::Hello& hello, int memfd);
int receive_bell(int connection, int timeout_ms);  // the bell's memfd, or -1
bool agent_lives(int connection);

}  // namespace vouch
