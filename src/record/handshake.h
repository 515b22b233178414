// How a rank and its agent find each other.
//
// The agent listens on an abstract Unix socket (SOCK_SEQPACKET) whose name is in VOUCH_SOCKET; on
// other nodes than the root's its name is a secret (node_name.h). Every user of the machine may
// listen or connect under a name that he has read, so each side asks the system who the other one
// is before anything is sent. A process connects once. For each of its rings it sends one
// wire::Hello with the ring's memfd; the agent answers the first one with one byte and the bell's
// memfd, and says nothing to later ones. The child of a fork that calls MPI has no ring: it
// connects, says where it calls (ForkedCall) and waits for one byte. Nothing else is ever sent: the
// connection tells each side that the other still lives (a process that ends, in whatever way,
// hangs up). The wire version stands in the Hello: an agent that speaks another one closes the
// connection.

#pragma once

#include "event/wire.h"
#include "record/agent_watch.h"

namespace vouch {

// What the child of a fork says instead of a Hello; of the same size.
struct ForkedCall {
  std::uint32_t magic;  // kForkedMagic
  std::uint32_t version;
  std::int32_t parent;     // pid of the process that was forked
  std::int32_t rank_hint;  // of that one
  std::uint64_t proc;      // of the call
  std::uint64_t caller;    // its return address
};
static_assert(sizeof(ForkedCall) == sizeof(wire::Hello));
inline constexpr std::uint32_t kForkedMagic = 0x76636866;  // "vchf"
// The agent's answer: it has a finding, and need not be told of other calls of this child; or the
// call is allowed there.
inline constexpr char kForkedTold = 'f', kForkedAllowed = 'a';

// The process at the other end, if it belongs to the same user, else -1; 0 where it cannot be seen
// from here (another namespace of processes). Of a connection that was made to a name: the process
// that was the last to listen.
int peer_of(int connection);

// The agent's side. -1 on failure, errno tells why.
int listen_for_ranks(const char* name);
// The process that calls this is the one that ranks see as their agent.
void listen_as_agent(int listening);
int accept_rank(int listening);
// 1: got one; 2: a ForkedCall instead; 0: the rank hung up; -1: nothing now (the socket is not
// blocking), the rank has no memory for its records (ENOMEM), or not understood (EPROTO).
int receive_hello(int connection, wire::Hello& hello, int& memfd);
ForkedCall forked_call(const wire::Hello&);  // of a 2
bool answer_forked(int connection, char answer);
bool send_bell(int connection, int bell_memfd);

// The rank's side. -1: nobody listens there, or another user does. Nothing that is sent later waits
// longer than `patience_ms`.
int connect_to_agent(const char* name, int patience_ms = kPatienceMs);
// `memfd` -1: we would, but cannot have one.
bool send_hello(int connection, const wire::Hello& hello, int memfd);
// The bell's memfd, or -1: the agent hung up, did nothing for `patience_ms`, or took longer than
// `timeout_ms`.
int receive_bell(int connection, int timeout_ms, int patience_ms = kPatienceMs);
char tell_forked(int connection, const ForkedCall&, int timeout_ms);  // the answer, or 0
bool agent_lives(int connection);

}  // namespace vouch
