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
// Cost: O(1) per operation, with receives of any tag O(log tags); memory: what has not met.
// Messages that nobody waits for any more rest in batches (batch.h).

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/pool.h"
#include "base/rest_limits.h"
#include "wait/batch.h"
#include "wait/operation.h"

namespace vouch::wait {

// Operations of a queue.
struct OpList {
  Op* head = nullptr;
  Op* tail = nullptr;
  bool empty() const { return head == nullptr; }
  void append(Op* op) { insert_behind(tail, op); }
  void insert_by_index(Op* op) {  // all are of one process
    Op* before = tail;
    while (before != nullptr && before->at > op->at) before = before->prev;
    insert_behind(before, op);
  }
  void insert_behind(Op* before, Op* op) {
    op->prev = before;
    op->next = before != nullptr ? before->next : head;
    (op->next != nullptr ? op->next->prev : tail) = op;
    (before != nullptr ? before->next : head) = op;
  }
  void remove(Op* op) {
    (op->prev != nullptr ? op->prev->next : head) = op->next;
    (op->next != nullptr ? op->next->prev : tail) = op->prev;
    op->next = op->prev = nullptr;
  }
  void replace(Op* before, Op* after) {
    after->next = before->next;
    after->prev = before->prev;
    (before->prev != nullptr ? before->prev->next : head) = after;
    (before->next != nullptr ? before->next->prev : tail) = after;
    before->next = before->prev = nullptr;
  }
};

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
  OpList sends, recvs;         // sends: also batches
  std::uint32_t takers = 0;    // of recvs: those that are no probes
  std::uint32_t claims = 0;    // of those: matched probes whose message is not received
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

// All messages of a source to a destination. Watched once a receive of any tag has been posted for
// them.
struct Channel {
  struct First {
    Index at;
    Messages* queue;
    bool operator<(const First& other) const { return at > other.at; }  // a heap's top is first
  };
  MessageKey key;  // without the tag
  // A heap with the first message of each queue; and with what has been one, until it is on top.
  std::vector<First> firsts;
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

  explicit Inbox(Pool<Op>& ops) : ops_(ops) {}

  // What comes of an active operation is appended to `met`. A receive with a wildcard must be
  // resolved, or is kept apart until it is.
  void add(Op*, std::vector<Meeting>& met);
  // The same for what most operations are, in steps. The queue of a send or receive without
  // wildcard if nothing but its heads has to be looked at; nullptr: add() is to be called. Then
  // whom it meets, who is not here any more; nullptr: it has to wait.
  Messages* plain_queue(Kind, const Envelope&);
  Op* take_partner(Messages*, Kind);
  void wait_in(Messages*, Op*);
  void resolve(Op*, std::vector<Meeting>& met);
  // It takes no part any more; receives that it held up may meet now.
  void remove(Op*, std::vector<Meeting>& met);

  // The message that a matched probe takes is received: from now on it is a receive.
  void unclaim(Op* probe, std::vector<Meeting>& met);
  // Who takes a message of this queue may be a matched probe, and keep its sender waiting.
  bool may_be_claimed(const Messages&) const;

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
      for (Op* send = q->sends.head; send != nullptr; send = send->next)
        if (send->batch == nullptr) f(send);
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
  // Indices of the first messages of a queue, at most so many.
  static std::vector<Index> first_of(const Messages&, std::size_t most);
  // Receives and probes of a process that could take or see one of these, in posting order.
  std::vector<const Op*> posted(CommId, Rank, const Offers&) const;
  // Sends and receives that have not met, in no order; without messages that are forgotten.
  template <typename F>
  void for_each(F&& f) const {
    const auto all = [&](const OpList& list) {
      for (const Op* op = list.head; op != nullptr; op = op->next) {
        if (op->batch == nullptr) {
          f(*op);
          continue;
        }
        Op one;
        for (std::size_t i = op->batch->first; i < op->batch->messages.size(); ++i) {
          wake(one, *op, op->batch->messages[i]);
          f(std::as_const(one));
        }
      }
    };
    queues_.for_each([&](const MessageKey&, const Messages* q) {
      all(q->sends);
      all(q->recvs);
    });
    for (const auto& [key, door] : doors_) each_list(door, [&](const Wildcards& w) { all(w.ops); });
  }
  std::size_t queues() const { return pool_.live(); }

  // Messages at rest (rest.cc) ------------------------------------------------
  // Whether nobody but this inbox needs the send as it is.
  static bool may_rest(const Op&);
  // A send that may. If it does, or others do with it, they are told to `lay_down` before they are
  // no more.
  template <typename F>
  void rest(Op*, const RestLimits&, F&& lay_down);
  // The oldest of those at rest, so many at least; f(rank, message)
  template <typename F>
  void forget(std::uint64_t number, F&& f);
  // Those of a process among these, which are sorted, are operations again; f(operation).
  template <typename F>
  void wake(Rank, std::span<const Index>, F&& f);
  std::uint64_t resting() const { return resting_; }
  // Kept as operations that are batches, and as none that are messages.
  std::size_t batches() const { return batches_.live(); }
  std::uint64_t in_batches() const { return resting_ + forgotten_; }

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
    std::size_t claims = 0;       // of those: matched probes whose message is not received
    std::set<Messages*> limited;  // of whose sends these leave it open who may be promised
  };

  Messages* queue(const MessageKey&);
  Messages* new_queue(const MessageKey&);
  Channel* watch(const MessageKey&);
  void pump(Messages*, std::vector<Meeting>&);
  void pump(Channel*, std::vector<Meeting>&);
  void promise(Messages*, std::vector<Meeting>&);
  static void post(Messages*, Op* recv);
  static void unlink_recv(Messages*, Op*);
  static void unlink_send(Messages*, Op*);
  static void note_first(Messages*);
  static Messages* first_queue(Channel*);
  Op* awake(Messages* q, Op* send) { return send->batch == nullptr ? send : wake_first(q, send); }
  Op* wake_first(Messages*, Op* batch);
  static void wake(Op&, const Op& batch, const RestingMessage&);
  Op* make_batch(Messages*, Op* first);
  static Wildcards* any_source_before(Door&, std::int32_t tag, const Op& recv);
  Wildcards* hold_up(const Messages&, const Op& recv);
  std::size_t surely_received(Messages&);
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
  Pool<Op>& ops_;
  Pool<Batch> batches_;
  std::uint64_t batch_numbers_ = 0;
  std::uint64_t resting_ = 0, forgotten_ = 0;  // in batches now
};

template <typename F>
void Inbox::rest(Op* op, const RestLimits& limits, F&& lay_down) {
  Messages* q = op->queue;
  // The first of a queue is looked at whenever a receive comes.
  if (op == q->sends.head) return;
  const auto take = [&](Op* send) {
    RestingMessage m;
    m.at = send->at;
    m.site = send->label.site;
    m.proc = send->label.proc;
    m.met = send->met;
    lay_down(*send);
    ops_.give_back(send);
    ++resting_;
    return m;
  };
  if (Batch* before = op->prev->batch; before != nullptr && before->has_room_behind()) {
    q->sends.remove(op);
    before->messages.push_back(take(op));
    return;
  }
  if (Op* behind = op->next;
      behind != nullptr && behind->batch != nullptr && behind->batch->has_room_before()) {
    q->sends.remove(op);
    behind->at = op->at;
    behind->batch->prepend(take(op));
    return;
  }
  // A batch of few takes more than it saves.
  Op* first = op;
  std::size_t neighbours = 1;
  while (neighbours < limits.fewest && first->prev != nullptr && may_rest(*first->prev)) {
    first = first->prev;
    ++neighbours;
  }
  if (neighbours < limits.fewest) return;
  Op* node = make_batch(q, first);
  node->batch->messages.push_back(take(first));
  while (--neighbours > 0) {
    Op* next = node->next;
    q->sends.remove(next);
    node->batch->messages.push_back(take(next));
  }
}

template <typename F>
void Inbox::forget(std::uint64_t number, F&& f) {
  std::vector<Op*> nodes;
  queues_.for_each([&](const MessageKey&, const Messages* q) {
    for (Op* op = q->sends.head; op != nullptr; op = op->next) {
      if (op->batch != nullptr && op->batch->resting() > 0) nodes.push_back(op);
    }
  });
  std::sort(nodes.begin(), nodes.end(),
            [](const Op* a, const Op* b) { return a->batch->number < b->batch->number; });
  std::uint64_t done = 0;
  for (Op* node : nodes) {
    if (done >= number) return;
    Batch& batch = *node->batch;
    const std::size_t here = batch.resting();
    for (std::size_t i = batch.first; i < batch.messages.size(); ++i)
      f(node->rank, batch.messages[i]);
    batch.messages = {};
    batch.first = 0;
    batch.forgotten += here;
    done += here;
    resting_ -= here;
    forgotten_ += here;
    Op* before = node->prev;
    if (before == nullptr || before->batch == nullptr || before->batch->resting() > 0) continue;
    batch.forgotten += before->batch->forgotten;
    node->at = before->at;
    node->queue->sends.remove(before);
    batches_.give_back(before->batch);
    ops_.give_back(before);
  }
}

template <typename F>
void Inbox::wake(Rank rank, std::span<const Index> these, F&& f) {
  queues_.for_each([&](const MessageKey& key, Messages* q) {
    if (key.source != rank) return;
    for (Op *node = q->sends.head, *next = nullptr; node != nullptr; node = next) {
      next = node->next;
      if (node->batch == nullptr) continue;
      Batch& batch = *node->batch;
      const auto rests = [&](Index at) {
        return std::any_of(batch.messages.begin() + static_cast<std::ptrdiff_t>(batch.first),
                           batch.messages.end(),
                           [&](const RestingMessage& m) { return m.at == at; });
      };
      if (batch.resting() == 0) continue;
      const auto from =
          std::lower_bound(these.begin(), these.end(), batch.messages[batch.first].at);
      if (!std::any_of(from, std::upper_bound(from, these.end(), batch.messages.back().at), rests))
        continue;
      Op* last = node;
      for (std::size_t i = batch.first; i < batch.messages.size(); ++i) {
        Op* op = ops_.take();
        op->renew();
        wake(*op, *node, batch.messages[i]);
        q->sends.insert_behind(last, op);
        last = op;
        --resting_;
        f(*op);
      }
      batch.messages = {};
      batch.first = 0;
      if (batch.forgotten > 0) continue;
      q->sends.remove(node);
      batches_.give_back(&batch);
      ops_.give_back(node);
    }
  });
}

}  // namespace vouch::wait
