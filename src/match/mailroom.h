// Who gets which message.
//
// MPI decides by posting order (MPI-4.1 3.5): among what has the same communicator, source,
// destination and tag the k-th send meets the k-th receive. So each such key has a queue of sends
// and a queue of receives, and their heads meet as soon as
// - both are decided: the library took them for good. A call that has not returned may still fail,
// a request that is not
//   complete may still be cancelled, and then the k-th is another one; telling early would make
//   facts depend on which rank's events are read first;
// - no wildcard receive posted earlier, whose message is not known yet, could have taken the same
// message. Unresolved wildcards
//   stand in three lists, by pattern; a queue whose head was posted after the first of one waits in
//   its heap, and is looked at again when that first one is gone. Positions only grow, so a head
//   waits at most once per list.
//
// Where many sends wait for their receives, they rest in batches (resting.h).
//
// Misses: a message that a probe saw and that was cancelled afterwards.
//
// Cost: amortised O(1) per operation, O(log n) behind wildcards; memory: what is in flight, about
// 40 bytes of a message at rest. A tag that nothing else uses costs a queue of its own.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/flat_map.h"
#include "base/pool.h"
#include "base/rest_limits.h"
#include "match/channel.h"
#include "match/clocks.h"
#include "match/hidden.h"
#include "match/operation.h"
#include "match/remote.h"
#include "match/resting.h"

namespace vouch {

class World;
class Process;

class Mailroom {
 public:
  explicit Mailroom(Clocks& clocks) : clocks_(clocks) {}
  void observe(MatchObserver* observer) { observers_.push_back(observer); }
  // Before the first event.
  void set_limits(const RestLimits& limits) { limits_ = limits; }

  // A process's door to a communicator; made at its first use.
  Port& port(const Process&, const Communicator&);
  Port* find(const Process&, const Communicator&);  // nullptr: never used
  void close(Port&);                                // the process has freed the communicator
  // Communicator::id of some communicators has become another (World::inter_id).
  void join(const World&);

  // A new operation of the port's process, to be filled in and posted.
  Operation* make(Port& port, Role role) {
    Operation* op = fresh();
    op->role = role;
    op->process = port.process;
    op->channel = port.channel;
    op->me = port.me;
    op->port_ = &port;
    ++port.in_flight;
    return op;
  }
  Operation* copy(const Operation&);
  void post(Operation*);
  // It is complete, as the program sees it: decided, at this point of its process.
  void complete(Operation*);
  void complete(Operation*, int source, int tag);
  // A wildcard is complete, and nobody knows what it took.
  void lose(Operation*);
  // The library took it; of a wildcard this needs the message's source and tag.
  void decide(Operation*);
  void resolve(Operation*, int source, int tag);
  // It failed, was cancelled, or has seen nothing.
  void withdraw(Operation*);
  // A message matched by a probe is now received: proc, site, seq, count and type are filled in.
  void receive(Operation*);
  // It was matched by a probe and will never be received.
  void drop(Operation*);
  // An operation that was never posted.
  void discard(Operation* op);

  bool unresolved(const Operation* op) const { return op->unresolved_; }

  // Several agents: sends to processes that are not here go there.
  void pass_on(const World& world, RemoteSends* remote) {
    world_ = &world;
    remote_ = remote;
  }
  void take(const ForeignSend&);
  // At the end: who the members are of communicators that only other agents' processes have used.
  void name_groups(World&);
  void take(std::uint32_t process, const ForeignEnd&);

  // A receiving call of that process failed or is poisoned.
  void note_broken(const Broken& broken) {
    constexpr std::size_t kKept = 256;
    if (broken_.size() < kKept) broken_.push_back(broken);
  }

  // The run is over: what meets from now on was never seen to complete.
  void begin_settling() { settling_ = true; }
  // At the end of the run, once all that is undecided was decided or withdrawn: wildcards that
  // never told take what only they can have taken; then what is left is told.
  // What is known of such a wildcard besides its envelope.
  struct Hint {
    int source = -1, tag = -1;  // that a schedule made it ask for; -1: none
    bool truncated = false;  // the library stopped its process here, since its message was too long
  };
  void settle(const std::function<Hint(const Operation&)>&);
  void tell_left_alone(Hidden why, std::uint64_t operations) {
    for (MatchObserver* o : observers_) o->on_left_alone(why, operations);
  }

  // Ports in the order in which they came to be.
  template <typename F>
  void for_each_port(F&& f) const {
    for (const auto& p : ports_) {
      if (p != nullptr) f(*p);
    }
  }
  std::size_t in_flight() const {
    return operations_.live() - batches_.live() + static_cast<std::size_t>(waiting_);
  }
  std::size_t resting() const { return resting_; }
  std::size_t kinds() const { return kinds_.size(); }
  std::size_t queues() const { return queues_.live(); }
  std::size_t channels() const { return channels_.size(); }

 private:
  struct KeyHash {
    std::uint64_t operator()(const QueueKey& k) const {
      return scatter(scatter((std::uint64_t{k.channel} << 32) | static_cast<std::uint32_t>(k.tag)) ^
                     ((std::uint64_t{static_cast<std::uint32_t>(k.source)} << 32) |
                      static_cast<std::uint32_t>(k.dest)));
    }
  };

  Operation* fresh() {
    Operation* op = operations_.take();
    op->renew();
    return op;
  }
  Channel* channel(const Communicator&);
  Channel* channel(std::uint64_t id);
  Port& make_port(Channel*, std::uint32_t process, WorldRank, int me);
  WorldRank receiver(const Operation&) const;
  MessageQueue* queue(const QueueKey&);
  MessageQueue* new_queue(const QueueKey&);
  bool leaves(Operation* send);
  void enqueue(Operation*, int source, int tag);
  void pump(MessageQueue*);
  // The list whose first wildcard was posted before this receive and could have taken its message;
  // nullptr: none.
  WildList* barrier(Port&, const Operation*, const QueueKey&);
  WildList& list_of(Port&, const Operation&);
  void release(WildList&);  // its first wildcard is another one now
  void forget_if_empty(Port&, std::int64_t peer, std::int64_t tag);  // the list of that pattern
  void meet(Operation* send, Operation* recv);
  void tell(const Operation& send, const Operation& recv);
  void done(Operation*);
  // Messages at rest (rest.cc).
  static bool may_rest(const Operation&);
  RestingSend lay_down(Operation*);
  void rest(MessageQueue*, Operation*);
  Operation* first_send(MessageQueue* q) {
    Operation* head = q->sends.head;
    return head != nullptr && head->batch_ != nullptr ? wake_first(q) : head;
  }
  Operation* wake_first(MessageQueue*);
  void wake(const Operation& batch, const RestingSend&, bool forgotten, Operation&);
  void forget_oldest();
  void sweep();
  void merge(Channel* from, Channel* into);
  void pass_wildcards(Operation*, int source, int tag);
  void take_out(WildList&, Operation*);
  void settle_wildcards(Port&, const std::function<Hint(const Operation&)>&);
  MessageQueue* only_candidate(const Operation&, const Hint&, bool& several);
  void tell_unmatched();
  NearMiss near_miss(const Operation&) const;
  void destroy(Port*);

  Clocks& clocks_;
  std::vector<MatchObserver*> observers_;
  Pool<Operation> operations_;
  Pool<MessageQueue> queues_;
  FlatMap<QueueKey, MessageQueue*, KeyHash> by_key_;
  std::size_t sweep_at_ = 1024;
  std::unordered_map<std::uint64_t, std::unique_ptr<Channel>> channels_;  // by Communicator::id
  std::uint32_t next_channel_ = 1;
  std::vector<std::unique_ptr<Port>> ports_;  // nullptr: free
  std::vector<std::size_t> free_ports_;
  FlatMap<std::uint64_t, Port*> ports_by_place_;  // channel number, process
  std::vector<Broken> broken_;
  RestLimits limits_;
  Pool<Batch> batches_;
  SendKinds kinds_;
  std::size_t resting_ = 0;       // messages in batches, without those that are forgotten
  std::uint64_t waiting_ = 0;     // with them
  std::uint64_t forgotten_ = 0;   // ever
  Site forgotten_at_;             // the first of them
  const World* world_ = nullptr;  // if there are other agents
  RemoteSends* remote_ = nullptr;
  std::unordered_map<std::uint64_t, Operation*> foreign_;  // undecided, by process and number
  std::uint64_t next_position_ = 1;
  bool settling_ = false;
};

}  // namespace vouch
