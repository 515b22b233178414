// A communicator as all its members share it, and each member's door to it.
//
// Handles are local; what joins the members is Communicator::id. On an inter-communicator a message
// also needs the side it goes to: the group of its receiver, 0 for the group that was seen first.

#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "match/operation.h"
#include "model/objects.h"

namespace vouch {

struct Port;

class Channel {
 public:
  std::uint64_t id = 0;
  std::uint32_t number = 0;
  Constant constant = Constant::none;  // MPI_COMM_WORLD …
  Site made;                           // where one of its members made it
  Proc made_by = Proc::none;
  bool inter = false;
  const Members* groups[2] = {nullptr, nullptr};
  std::uint32_t ports = 0;
  std::vector<Port*> foreign;  // those of other agents' processes; closed with the last of ours

  // Side of that group, which is one of this communicator's. An unknown group is taken for the
  // first.
  int side_of(const Members* group);
};

// Operations in order of posting, linked through themselves.
struct OperationList {
  Operation* head = nullptr;
  Operation* tail = nullptr;
  bool empty() const { return head == nullptr; }
  void insert(Operation* op) {  // at its position; new ones belong at the end
    if (head != nullptr) return insert_among(op);
    head = tail = op;
    op->next_ = op->prev_ = nullptr;
  }
  void remove(Operation* op) {
    (op->prev_ != nullptr ? op->prev_->next_ : head) = op->next_;
    (op->next_ != nullptr ? op->next_->prev_ : tail) = op->prev_;
    op->next_ = op->prev_ = nullptr;
  }
  void replace(Operation* old, Operation* by);

 private:
  void insert_among(Operation*);
};

struct QueueKey {
  std::uint32_t channel = 0;  // number * 4 + side * 2 + partitioned
  std::int32_t source = 0, dest = 0, tag = 0;
  bool operator==(const QueueKey&) const = default;
};

struct Port;

// All that one process has sent to another with one tag and that has not met, and the receives for
// it.
struct MessageQueue {
  QueueKey key;
  OperationList sends, recvs;   // recvs: also those that only look; sends: also batches
  Port* receiver = nullptr;     // once it has posted something
  std::uint32_t waiting = 0;    // entries for it in WildList::waiting
  std::uint64_t waits_for = 0;  // position of the receive that the latest entry is for
  bool empty() const { return sends.empty() && recvs.empty(); }
};

// Unresolved wildcards of one pattern, and the queues whose first receive was posted after the
// first of them.
struct WildList {
  OperationList wildcards;
  Operation* first_open = nullptr;  // the first that need not have matched yet; all later ones too
  struct Waiting {
    std::uint64_t position;
    MessageQueue* queue;
    bool operator<(const Waiting& other) const {
      return position > other.position;
    }  // a heap's top is the earliest
  };
  std::vector<Waiting> waiting;  // a heap
};

// What a receive asked for, for the near misses of a message that nobody received.
struct Asked {
  Site site;
  Proc proc = Proc::none;
  std::int64_t peer = 0, tag = 0;
};

// A receiving call of a process that failed or had a finding: what was sent to it may lack a
// receive because of that.
struct Broken {
  WorldRank rank;
  Site site;
  Proc proc = Proc::none;
};

// A process on a communicator.
struct Port {
  Channel* channel = nullptr;
  std::uint32_t process = 0;
  WorldRank rank;
  int me = -1;
  int side = 0;
  bool closed = false;           // the process has freed the communicator
  std::uint32_t in_flight = 0;   // its operations that have not met
  std::size_t place = 0;         // among the ports
  std::uint32_t unresolved = 0;  // wildcards of all patterns
  WildList any;                  // any source, any tag
  std::unordered_map<std::int64_t, WildList> by_tag, by_source;
  static constexpr std::size_t kAsked = 8;
  std::array<Asked, kAsked> asked{};  // the latest of a few sites
};

}  // namespace vouch
