// Which active send meets which active receive.
//
// Operations come in when their process has come to them, so in program order, and two that meet
// are both active: nothing else must be asked before both may go on. Among those with the same
// communicator, source, destination and tag the k-th send meets the k-th receive (MPI-4.1 3.5).
//
// A receive of any tag from one source takes the first message of that source that no earlier
// receive takes: that is no choice of the library, so it meets at once. One of any source stands
// apart until the library has told what it took; until then it holds up the later receives whose
// message it could have taken. Their senders need not wait for that: if n receives are posted for
// (source, tag), the first n such messages are taken, by them or by an earlier wildcard. Such a
// send is *promised*: its process goes on, and the message stays here until it is known who took
// it.
//
// Cost: O(1) per operation; memory: what has not met.

#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "match/flat_map.h"
#include "match/pool.h"
#include "wait/operation.h"

namespace vouch::wait {

// A list of operations, linked by these members of theirs.
template <Op* OpState::*Next, Op* OpState::*Prev>
struct Chain {
  Op* head = nullptr;
  Op* tail = nullptr;
  bool empty() const { return head == nullptr; }
  void append(Op* op) { insert_behind(tail, op); }
  void insert_by_index(Op* op) {  // all are of one process
    Op* before = tail;
    while (before != nullptr && before->at > op->at) before = before->*Prev;
    insert_behind(before, op);
  }
  void remove(Op* op) {
    (op->*Prev != nullptr ? op->*Prev->*Next : head) = op->*Next;
    (op->*Next != nullptr ? op->*Next->*Prev : tail) = op->*Prev;
    op->*Next = op->*Prev = nullptr;
  }
  void replace(Op* before, Op* after) {
    after->*Next = before->*Next;
    after->*Prev = before->*Prev;
    (before->*Prev != nullptr ? before->*Prev->*Next : head) = after;
    (before->*Next != nullptr ? before->*Next->*Prev : tail) = after;
    before->*Next = before->*Prev = nullptr;
  }

 private:
  void insert_behind(Op* before, Op* op) {
    op->*Prev = before;
    op->*Next = before != nullptr ? before->*Next : head;
    (op->*Next != nullptr ? op->*Next->*Prev : tail) = op;
    (before != nullptr ? before->*Next : head) = op;
  }
};
using OpList = Chain<&OpState::next, &OpState::prev>;
using SentList = Chain<&OpState::next_sent, &OpState::prev_sent>;

struct MessageKey {
  CommId comm = 0;
  Rank source = 0, dest = 0;
  std::int32_t tag = 0;
  bool operator==(const MessageKey&) const = default;
};

struct Wildcards;
struct Channel;

struct Messages {
  MessageKey key;
  OpList sends, recvs;
  std::uint32_t takers = 0;    // of recvs: those that are no probes
  std::uint32_t promised = 0;  // the first of sends
  Op* last_promised = nullptr;
  Wildcards* waits = nullptr;  // until the first of them is known
  Channel* channel = nullptr;  // if it is watched
  bool empty() const { return sends.empty() && recvs.empty(); }
};

// Unresolved wildcards of one pattern, and what waits until the first of them is known.
struct Wildcards {
  OpList ops;
  std::vector<Messages*> waiting;
  std::vector<Channel*> channels;
};

// All messages of a source to a destination, in the order of sending. Watched once a receive of any
// tag has been posted for them.
struct Channel {
  MessageKey key;  // without the tag
  SentList sends;
  std::size_t queues = 0;
  bool awaited = false;  // there are receives of any tag; only known while queues are swept
  Wildcards* waits = nullptr;
};

class Inbox {
 public:
  // Two that met. A probe only saw the send. Without a receive: the send is promised.
  struct Meeting {
    Op* send;
    Op* recv;
  };

  // What comes of an active operation is appended to `met`. A receive with a wildcard must be
  // resolved, or is kept apart until it is.
  void add(Op*, std::vector<Meeting>& met);
  void resolve(Op*, std::vector<Meeting>& met);
  // It takes no part any more; receives that it held up may meet now.
  void remove(Op*, std::vector<Meeting>& met);

  // The message of a receive that was cancelled after all.
  void put_back(Op* send, std::vector<Meeting>& met);

  // Stands for a promised send from now on.
  void replace(Op* send, Op* stand_in);

  // Queues with a send of which nobody knows who takes it, by destination.
  using Offers = std::unordered_map<Rank, std::vector<const Messages*>>;
  Offers offers() const;
  // One of them could be taken by this receive or probe.
  static bool takes_one(const Envelope& recv, const Offers&);
  template <typename F>
  static void for_each_offer(const Envelope& recv, const Offers& offers, F&& f) {
    const auto here = offers.find(recv.dest);
    if (here == offers.end()) return;
    for (const Messages* q : here->second) {
      if (!accepts(recv, q->key)) continue;
      for (Op* send = q->sends.head; send != nullptr; send = send->next) f(send);
    }
  }
  // Queues that a wildcard has taken one of, or will: nobody knows which. Without decisions, what a
  // schedule has decided is not known either.
  std::vector<const Messages*> undecided(const Offers&, bool decisions) const;
  // Whether this message may go to one of them.
  static bool accepts(const Envelope& recv, const MessageKey& key) {
    return key.comm == recv.comm && (recv.source == kAnyRank || recv.source == key.source) &&
           (recv.tag == kAnyTag || recv.tag == key.tag);
  }
  // Receives and probes of a process that could take or see one of these, in posting order.
  std::vector<const Op*> posted(CommId, Rank, const Offers&) const;
  // Sends and receives that have not met, in no order.
  template <typename F>
  void for_each(F&& f) const {
    const auto all = [&](const OpList& list) {
      for (const Op* op = list.head; op != nullptr; op = op->next) f(*op);
    };
    queues_.for_each([&](const MessageKey&, const Messages* q) {
      all(q->sends);
      all(q->recvs);
    });
    for (const auto& [key, door] : doors_) each_list(door, [&](const Wildcards& w) { all(w.ops); });
  }
  std::size_t queues() const { return pool_.live(); }

 private:
  struct KeyHash {
    std::uint64_t operator()(const MessageKey& k) const {
      return scatter(scatter(k.comm ^ static_cast<std::uint32_t>(k.tag)) ^
                     ((std::uint64_t{static_cast<std::uint32_t>(k.source)} << 32) |
                      static_cast<std::uint32_t>(k.dest)));
    }
  };
  // A process's unresolved wildcards on a communicator.
  struct Door {
    Wildcards any;
    std::unordered_map<std::int32_t, Wildcards> by_tag;
    std::unordered_map<Rank, Wildcards> by_source;
    std::size_t unresolved = 0;
  };

  Messages* queue(const MessageKey&);
  Channel* watch(const MessageKey&);
  void pump(Messages*, std::vector<Meeting>&);
  void pump(Channel*, std::vector<Meeting>&);
  static void promise(Messages*, std::vector<Meeting>&);
  static void post(Messages*, Op* recv);
  static void unlink_recv(Messages*, Op*);
  static void unlink_send(Messages*, Op*);
  static Wildcards* any_source_before(Door&, std::int32_t tag, const Op& recv);
  Wildcards* hold_up(const Messages&, const Op& recv);
  Wildcards& pattern(Door&, const Op&);
  void leave(Op*, Messages* into, std::vector<Meeting>&);
  void look_again(Wildcards&&, std::vector<Meeting>&);
  void pump_channel_of(const Op& wildcard, std::vector<Meeting>&);
  void sweep();
  template <typename D, typename F>
  static void each_list(D& door, F&& f) {
    f(door.any);
    for (auto& [tag, w] : door.by_tag) f(w);
    for (auto& [source, w] : door.by_source) f(w);
  }

  mutable FlatMap<MessageKey, Messages*, KeyHash> queues_;
  Pool<Messages> pool_;
  struct KeyHasher {
    std::size_t operator()(const MessageKey& k) const { return KeyHash()(k); }
  };
  std::unordered_map<MessageKey, std::unique_ptr<Channel>, KeyHasher> channels_;
  std::size_t sweep_at_ = 1024;
  struct DoorKey {
    CommId comm;
    Rank rank;
    bool operator==(const DoorKey&) const = default;
  };
  struct DoorHash {
    std::size_t operator()(const DoorKey& k) const {
      return scatter(k.comm + (static_cast<std::uint64_t>(k.rank) << 40));
    }
  };
  std::unordered_map<DoorKey, Door, DoorHash> doors_;
};

}  // namespace vouch::wait
