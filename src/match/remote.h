// Messages to and from processes of other agents.
//
// Every send to a process is matched by that process's agent, where it takes its place in the same
// queues as the sends that are here. So its own agent only passes on what it did and what became of
// it, in order.

#pragma once

#include <cstdint>

#include <memory>
#include <vector>

#include "match/operation.h"

namespace vouch {

class RemoteSends {
 public:
  virtual ~RemoteSends() = default;
  // `to` is not here. Operation::position() is its number.
  virtual void posted(const Operation&, WorldRank to) = 0;
  virtual void decided(const Operation&, WorldRank to) = 0;
  virtual void withdrawn(const Operation&, WorldRank to) = 0;
};

struct Assembly;
struct Wave;
struct Moment;

// A call by its rank and number there.
struct CallName {
  WorldRank rank;
  std::uint32_t seq = 0;
};

// What precedes what another agent's processes do (match/clocks_apart.h). Moments go by numbers
// that the sender has for each agent; 0: nothing.
class RemoteMoments {
 public:
  virtual ~RemoteMoments() = default;
  virtual void known(int node, std::uint64_t number, const Moment&) = 0;
  // A synchronous send of theirs, by its Operation::position(), has met a receive.
  virtual void met(int node, WorldRank sender, std::uint64_t send, std::uint64_t number) = 0;
  // Calls of a collective that learn this when they return.
  virtual void told(int node, const std::vector<CallName>&, std::uint64_t number,
                    bool doubtful) = 0;
};

// Collectives of communicators over several agents: one of them, its home, compares. The others
// send it what their members said, once all of them have come, or no more will.
class RemoteWaves {
 public:
  virtual ~RemoteWaves() = default;
  virtual void part(int home, const Wave&) = 0;
};

// A send of a process that is not here.
struct ForeignSend {
  std::uint32_t process = 0;  // World::away
  std::uint64_t number = 0;
  std::uint64_t comm = 0;              // Communicator::id
  Constant constant = Constant::none;  // MPI_COMM_WORLD …
  Site made;                           // where its process made the communicator
  int me = -1;
  std::int64_t peer = 0, tag = 0;
  SendMode mode = SendMode::standard;
  Proc proc = Proc::none;
  Site site;
  std::int64_t count = 0, partitions = 0;
  TypeRef type;
  bool poisoned = false;
  MomentRef when;
};

// What became of it.
struct ForeignEnd {
  std::uint64_t number = 0;
  bool taken = true;  // else withdrawn
  bool poisoned = false, incomplete = false, cancel_asked = false;
};

}  // namespace vouch
