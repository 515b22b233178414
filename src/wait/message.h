// What nodes say to each other (docs/design/005-deadlock.md).
//
// A transport may send what it likes in between, but between two nodes messages of one class must
// not overtake each other. Those of the first class are handled first: they let processes go on,
// and so make room; matching messages only bring more.

#pragma once

#include <cstdint>
#include <memory>

#include "wait/snapshot.h"

namespace vouch::wait {

struct Message {
  enum class Type : std::uint8_t {
    pass_send,         // a send is active: rank, at, envelope
    recv_active,       // the receive that your send `at` of `rank` met is active (of what a matched
                       // probe took: its receipt)
    collective_ready,  // child to parent: `count` more members below have come to (comm, wave)
    collective_ack,    // parent to child: all members have come
    request_state,     // parent to child: stand still
    ping,              // what was sent to you before has arrived
    pong,
    ack_state,      // child to parent: nothing of ours is under way any more
    request_waits,  // parent to child: tell what blocks whom
    waits,          // child to parent
    relax,          // to the node of `rank`: its operation has been proven not to wait
    forgive,  // to the node of `rank`: its wildcard took a message of process `at` (Node::forgive)
    lenient,  // to the node of `rank`: its send `at` is one of them
  };
  Type type = Type::pass_send;
  Rank rank = 0;
  Index at = 0;
  Envelope envelope{};
  CommId comm = 0;
  std::uint64_t wave = 0;
  std::uint64_t count = 0;
  std::shared_ptr<const Snapshot> snapshot{};

  // Handled after all of the other class. A ping pushes the sends before it, a pong the answers to
  // them.
  bool matching() const { return type == Type::pass_send || type == Type::ping; }
};

// The way to the other nodes.
class Network {
 public:
  virtual ~Network() = default;
  virtual void send(int node, Message) = 0;
};

// Who owns which process, and who is whose parent.
struct Layout {
  int nodes = 1;
  int fanout = 16;
  std::shared_ptr<const std::vector<int>> owners;  // by rank; nullptr: all belong to node 0
  int owner(Rank rank) const {
    return owners == nullptr ? 0 : (*owners)[static_cast<std::size_t>(rank)];
  }
  int parent(int node) const { return (node - 1) / fanout; }
  // Children of a node are first_child .. last_child - 1.
  int first_child(int node) const { return node * fanout + 1; }
  int last_child(int node) const {
    const int last = node * fanout + 1 + fanout;
    return last < nodes ? last : nodes;
  }
};

}  // namespace vouch::wait
