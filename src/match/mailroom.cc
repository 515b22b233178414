#include "match/mailroom.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/check_slow.h"
#include "event/wire.h"
#include "model/world.h"

namespace vouch {
namespace {

std::uint64_t place_of(std::uint32_t channel, std::uint32_t process) {
  return (std::uint64_t{channel} << 32) | process;
}

std::uint64_t foreign_key(std::uint32_t process, std::uint64_t number) {
  return (number << 30) ^ (process - World::kAway);
}

}  // namespace

// Channels and ports ------------------------------------------------
Channel* Mailroom::channel(std::uint64_t id) {
  std::unique_ptr<Channel>& c = channels_[id];
  if (c == nullptr) {
    c = std::make_unique<Channel>();
    c->id = id;
    c->number = next_channel_++;
  }
  return c.get();
}

Channel* Mailroom::channel(const Communicator& comm) {
  Channel* c = channel(comm.id);
  if (c->ports == c->foreign.size()) {  // the first of ours
    c->constant = comm.constant;
    c->made = comm.made;
    c->made_by = comm.made_by;
    c->inter = comm.inter();
  }
  return c;
}

Port& Mailroom::port(const Process& process, const Communicator& comm) {
  Channel* c = channel(comm);
  if (Port** found =
          ports_by_place_.find(place_of(c->number, static_cast<std::uint32_t>(process.index))))
    return **found;
  Port& p = make_port(c, static_cast<std::uint32_t>(process.index), process.rank, comm.rank);
  p.side = c->side_of(comm.members);
  if (!c->inter && comm.members != nullptr) c->groups[0] = comm.members;
  return p;
}

Port& Mailroom::make_port(Channel* c, std::uint32_t process, WorldRank rank, int me) {
  std::size_t place = ports_.size();
  if (free_ports_.empty()) {
    ports_.emplace_back();
  } else {
    place = free_ports_.back();
    free_ports_.pop_back();
  }
  ports_[place] = std::make_unique<Port>();
  Port& p = *ports_[place];
  p.channel = c;
  p.process = process;
  p.rank = rank;
  p.me = me;
  p.place = place;
  ++c->ports;
  ports_by_place_[place_of(c->number, process)] = &p;
  return p;
}

Port* Mailroom::find(const Process& process, const Communicator& comm) {
  const auto c = channels_.find(comm.id);
  if (c == channels_.end()) return nullptr;
  Port** found =
      ports_by_place_.find(place_of(c->second->number, static_cast<std::uint32_t>(process.index)));
  return found == nullptr ? nullptr : *found;
}

void Mailroom::close(Port& p) {
  p.closed = true;
  if (p.in_flight == 0) destroy(&p);
}

void Mailroom::destroy(Port* p) {
  VOUCH_CHECK(p->in_flight == 0 && p->unresolved == 0);
  Channel* c = p->channel;
  ports_by_place_.erase(place_of(c->number, p->process));
  free_ports_.push_back(p->place);
  std::erase(c->foreign, p);
  ports_[p->place].reset();
  --c->ports;
  if (c->ports > 0 && c->ports == c->foreign.size()) {
    // Nobody here receives on it any more.
    const std::vector<Port*> foreign = c->foreign;
    const std::uint64_t id = c->id;
    for (Port* other : foreign) {
      if (channels_.count(id) != 0) close(*other);
    }
    return;
  }
  if (c->ports == 0) channels_.erase(c->id);
}

// Life of an operation ------------------------------------------------
Operation* Mailroom::copy(const Operation& pattern) {
  Operation* op = operations_.take();
  *op = pattern;
  ++op->port_->in_flight;
  return op;
}

inline void Mailroom::done(Operation* op) {
  Port* port = op->port_;
  VOUCH_CHECK_SLOW(op->prev_ == nullptr && op->next_ == nullptr);  // in no list
  if (op->in) clocks_.gone(*op, settling_);
  operations_.give_back(op);
  VOUCH_CHECK(port->in_flight > 0);
  if (--port->in_flight == 0 && port->closed) destroy(port);
}

inline MessageQueue* Mailroom::queue(const QueueKey& key) {
  if (MessageQueue** found = by_key_.find(key)) [[likely]]
    return *found;
  return new_queue(key);
}

[[gnu::always_inline]] inline void Mailroom::enqueue(Operation* op, int source, int tag) {
  Port& port = *op->port_;
  const bool sends = op->role == Role::send;
  const int side = !port.channel->inter ? 0 : sends ? 1 - port.side : port.side;
  const QueueKey key{
      port.channel->number * 4 + static_cast<std::uint32_t>(side) * 2 + (op->partitions != 0),
      source, sends ? static_cast<std::int32_t>(op->peer) : port.me, tag};
  MessageQueue* q = queue(key);
  VOUCH_CHECK(op->queue_ == nullptr);
  op->queue_ = q;
  if (!sends) q->receiver = &port;
  (sends ? q->sends : q->recvs).insert(op);
}

void Mailroom::discard(Operation* op) { done(op); }

void Mailroom::post(Operation* op) {
  Port& port = *op->port_;
  op->channel = port.channel;  // of a pattern made before the channel was merged into another
  op->position_ = next_position_++;
  clocks_.posted(*op);
  if (op->role == Role::send) {
    if (remote_ != nullptr && leaves(op)) return;
    return enqueue(op, op->me, static_cast<int>(op->tag));
  }
  port.asked[op->site.value % Port::kAsked] = {op->site, op->proc, op->peer, op->tag};
  if (!op->wildcard()) {
    op->source = static_cast<int>(op->peer);
    op->met_tag = static_cast<int>(op->tag);
    return enqueue(op, op->source, op->met_tag);
  }
  op->unresolved_ = true;
  ++port.unresolved;
  WildList& list = list_of(port, *op);
  list.wildcards.insert(op);
  if (list.first_open == nullptr) list.first_open = op;
}

// A send to a process of another agent goes there.
bool Mailroom::leaves(Operation* send) {
  const WorldRank to = receiver(*send);
  send->away_ = to.value >= 0 && !world_->here(to);
  if (send->away_) remote_->posted(*send, to);
  return send->away_;
}

void Mailroom::complete(Operation* op) {
  if (op->away_) {
    clocks_.completed_apart(*op);
    return decide(op);
  }
  if (op->role != Role::send && op->port_->unresolved > 0)
    pass_wildcards(op, op->source, op->met_tag);
  clocks_.completing(op);
  decide(op);
  clocks_.completed(op);
}

void Mailroom::complete(Operation* op, int source, int tag) {
  pass_wildcards(op, source, tag);
  clocks_.completing(op);
  resolve(op, source, tag);
  clocks_.completed(op);
}

void Mailroom::lose(Operation* op) {
  op->lost = true;
  clocks_.doubt(op->process);
}

// Wildcards posted before a receive that is complete now, and that fit its message, have matched
// too: they would have taken it.
void Mailroom::pass_wildcards(Operation* op, int source, int tag) {
  Port& port = *op->port_;
  if (port.unresolved == 0) return;
  const auto pass = [&](WildList& list) {
    Operation* e = list.first_open;
    for (; e != nullptr && e->position_ < op->position_; e = e->next_) {
      clocks_.surely_matched(*e);
      if (e->role == Role::look) continue;
      clocks_.completing(e);
      clocks_.completed(e);
    }
    list.first_open = e;
  };
  // One that takes any tag may have taken a message that an earlier one fits, or could not have
  // taken its own before an earlier one had taken such a message: then that one has matched as
  // well. Nobody knows which tag it was before it is complete, and what was sent before.
  const auto before = [&](const WildList& list) {
    return !list.wildcards.empty() && list.wildcards.head->position_ < op->position_;
  };
  const auto by_source = port.by_source.find(source);
  if (op->tag == wire::kAnyTag || before(port.any) ||
      (by_source != port.by_source.end() && before(by_source->second))) {
    for (const auto& [other, list] : port.by_tag) {
      if (other == tag || list.first_open == nullptr || list.first_open->position_ > op->position_)
        continue;
      clocks_.doubt(op->process);
      break;
    }
  }
  pass(port.any);
  if (const auto found = port.by_tag.find(tag); found != port.by_tag.end()) pass(found->second);
}

void Mailroom::take_out(WildList& list, Operation* op) {
  if (list.first_open == op) list.first_open = op->next_;
  list.wildcards.remove(op);
}

void Mailroom::decide(Operation* op) {
  if (op->away_) [[unlikely]] {
    remote_->decided(*op, receiver(*op));
    return done(op);
  }
  op->decided_ = true;
  MessageQueue* q = op->queue_;
  if (q == nullptr)
    return;  // a wildcard in a partitioned receive, an error of the program: meets nobody
  if (op == q->sends.head || op == q->recvs.head) {
    pump(q);
  } else if (operations_.live() > limits_.busy && may_rest(*op)) {
    rest(q, op);
  }
}

void Mailroom::resolve(Operation* op, int source, int tag) {
  Port& port = *op->port_;
  WildList& list = list_of(port, *op);
  const bool first = op == list.wildcards.head;
  take_out(list, op);
  VOUCH_CHECK(op->unresolved_ && port.unresolved > 0);
  op->unresolved_ = false;
  --port.unresolved;
  op->source = source;
  op->met_tag = tag;
  // Into its own queue before others may pass: it was posted before them.
  enqueue(op, source, tag);
  MessageQueue* q = op->queue_;
  op->decided_ = true;
  const std::int64_t peer = op->peer, pattern_tag = op->tag;
  ++port.in_flight;  // it stays while we are here
  if (op == q->recvs.head) pump(q);
  if (first) release(list);
  forget_if_empty(port, peer, pattern_tag);
  if (--port.in_flight == 0 && port.closed) destroy(&port);
}

void Mailroom::withdraw(Operation* op) {
  if (op->away_) {
    remote_->withdrawn(*op, receiver(*op));
    return done(op);
  }
  if (op->unresolved_) {
    Port& port = *op->port_;
    WildList& list = list_of(port, *op);
    const bool first = op == list.wildcards.head;
    take_out(list, op);
    VOUCH_CHECK(port.unresolved > 0);
    --port.unresolved;
    if (first) release(list);
    forget_if_empty(port, op->peer, op->tag);
    return done(op);
  }
  MessageQueue* q = op->queue_;
  OperationList& list = op->role == Role::send ? q->sends : q->recvs;
  const bool first = op == list.head;
  list.remove(op);
  done(op);
  if (first) pump(q);
}

void Mailroom::receive(Operation* op) {
  op->buffer_known = true;
  clocks_.receiving(*op);
  if (op->partner_ == nullptr) return;  // its message is not known yet
  clocks_.started(*op->partner_, *op);
  op->channel = op->port_->channel;
  op->partner_->channel = op->partner_->port_->channel;
  tell(*op->partner_, *op);
  done(op->partner_);
  done(op);
}

void Mailroom::drop(Operation* op) {
  clocks_.receiving(*op);
  if (op->partner_ == nullptr) {
    op->buffer_known = true;
    op->poisoned = true;
    return;
  }
  clocks_.started(*op->partner_, *op);
  done(op->partner_);
  done(op);
}

// Other agents' processes ------------------------------------------------
WorldRank Mailroom::receiver(const Operation& send) const {
  const Members* group = send.port_->channel->groups[0];
  return group == nullptr ? WorldRank{} : group->world(CommRank{static_cast<int>(send.peer)});
}

void Mailroom::take(const ForeignSend& from) {
  Channel* c = channel(from.comm);
  if (c->ports == c->foreign.size()) {  // none of ours has named it
    c->constant = from.constant;
    c->made = from.made;
  }
  Port** known = ports_by_place_.find(place_of(c->number, from.process));
  Port& port = known != nullptr
                   ? **known
                   : make_port(c, from.process,
                               WorldRank{static_cast<int>(from.process - World::kAway)}, from.me);
  if (known == nullptr) c->foreign.push_back(&port);
  Operation* op = make(port, Role::send);
  op->mode = from.mode;
  op->proc = from.proc;
  op->site = op->posted = from.site;
  op->peer = from.peer;
  op->tag = from.tag;
  op->count = from.count;
  op->partitions = from.partitions;
  op->poisoned = from.poisoned;
  op->hold(from.type);
  op->when = from.when;
  op->number = from.number;
  clocks_.came(*op);
  op->position_ = next_position_++;
  foreign_[foreign_key(from.process, from.number)] = op;
  enqueue(op, op->me, static_cast<int>(op->tag));
}

void Mailroom::name_groups(World& world) {
  if (remote_ == nullptr) return;
  for (std::size_t i = 0; i < world.processes(); ++i) {
    world.process(i).comms.for_each([&](const Communicator& c) {
      const auto found = channels_.find(c.id);
      if (found != channels_.end() && !c.inter() && found->second->groups[0] == nullptr)
        found->second->groups[0] = c.members;
    });
  }
}

void Mailroom::take(std::uint32_t process, const ForeignEnd& end) {
  const auto found = foreign_.find(foreign_key(process, end.number));
  if (found == foreign_.end()) return;
  Operation* op = found->second;
  foreign_.erase(found);
  op->poisoned = op->poisoned || end.poisoned;
  op->incomplete = end.incomplete;
  op->cancel_asked = end.cancel_asked;
  end.taken ? decide(op) : withdraw(op);
}

// Meeting ------------------------------------------------
void Mailroom::pump(MessageQueue* q) {
  // The first of a queue are in the order of posting, and know that they are in it.
  const auto in_order = [q](const OperationList& list) {
    int left = 64;
    const Operation* before = nullptr;
    for (const Operation* op = list.head; op != nullptr && left > 0; op = op->next_, --left) {
      if (op->queue_ != q || op->prev_ != before) return false;
      if (before != nullptr && before->position_ >= op->position_) return false;
      before = op;
    }
    return true;
  };
  for (;;) {
    VOUCH_CHECK_SLOW(in_order(q->sends) && in_order(q->recvs));
    Operation* recv = q->recvs.head;
    Operation* send = recv == nullptr ? nullptr : first_send(q);
    if (recv == nullptr || send == nullptr || !recv->decided_ || !send->decided_) return;
    if (q->receiver->unresolved > 0) {
      if (WildList* list = barrier(*q->receiver, recv, q->key)) {
        if (q->waiting > 0 && q->waits_for == recv->position_) return;
        q->waits_for = recv->position_;
        ++q->waiting;
        list->waiting.push_back({recv->position_, q});
        std::push_heap(list->waiting.begin(), list->waiting.end());
        return;
      }
    }
    q->recvs.remove(recv);
    clocks_.met(*send, *recv);
    if (recv->role == Role::look) {
      for (MatchObserver* o : observers_) o->on_probe({*send, *recv, settling_});
      done(recv);
      continue;
    }
    q->sends.remove(send);
    meet(send, recv);
  }
}

inline void Mailroom::meet(Operation* send, Operation* recv) {
  VOUCH_CHECK(send->decided_ && recv->decided_ && !recv->unresolved_);
  if (!recv->buffer_known) {
    recv->partner_ = send;
    recv->queue_ = send->queue_ = nullptr;
    return;
  }
  tell(*send, *recv);
  done(send);
  done(recv);
}

void Mailroom::tell(const Operation& send, const Operation& recv) {
  const Match match{send, recv, settling_};
  const bool any_source = clocks_.any_source(recv.process);
  const bool ready = send.mode == SendMode::ready;
  for (MatchObserver* o : observers_)
    if (o->hears(any_source, ready)) o->on_match(match);
}

// Wildcards ------------------------------------------------
WildList& Mailroom::list_of(Port& port, const Operation& op) {
  if (op.peer != wire::kAnySource) return port.by_source[op.peer];
  return op.tag == wire::kAnyTag ? port.any : port.by_tag[op.tag];
}

WildList* Mailroom::barrier(Port& port, const Operation* recv, const QueueKey& key) {
  const auto blocks = [&](const WildList& list) {
    return !list.wildcards.empty() && list.wildcards.head->position_ < recv->position_;
  };
  if (blocks(port.any)) return &port.any;
  if (const auto found = port.by_tag.find(key.tag);
      found != port.by_tag.end() && blocks(found->second)) {
    return &found->second;
  }
  if (const auto found = port.by_source.find(key.source);
      found != port.by_source.end() && blocks(found->second)) {
    return &found->second;
  }
  return nullptr;
}

void Mailroom::release(WildList& list) {
  while (!list.waiting.empty() && (list.wildcards.empty() || list.waiting.front().position <
                                                                 list.wildcards.head->position_)) {
    MessageQueue* q = list.waiting.front().queue;
    std::pop_heap(list.waiting.begin(), list.waiting.end());
    list.waiting.pop_back();
    VOUCH_CHECK(q->waiting > 0);
    --q->waiting;
    q->waits_for = 0;
    pump(q);
  }
}

void Mailroom::forget_if_empty(Port& port, std::int64_t peer, std::int64_t tag) {
  constexpr std::size_t kKept = 64;
  auto& lists = peer == wire::kAnySource ? port.by_tag : port.by_source;
  if (lists.size() <= kKept) return;
  const auto found = lists.find(peer == wire::kAnySource ? tag : peer);
  if (found != lists.end() && found->second.wildcards.empty() && found->second.waiting.empty())
    lists.erase(found);
}

// Queues ------------------------------------------------
MessageQueue* Mailroom::new_queue(const QueueKey& key) {
  if (by_key_.size() >= sweep_at_) sweep();
  MessageQueue* q = queues_.take();
  q->key = key;
  by_key_[key] = q;
  return q;
}

// Programs come back to their tags, so empty queues are kept until there are as many of them as of
// others.
void Mailroom::sweep() {
  std::vector<MessageQueue*> empty;
  by_key_.for_each([&](const QueueKey&, MessageQueue* q) {
    if (q->empty() && q->waiting == 0) empty.push_back(q);
  });
  for (MessageQueue* q : empty) {
    by_key_.erase(q->key);
    queues_.give_back(q);
  }
  sweep_at_ = std::max<std::size_t>(1024, 2 * by_key_.size());
}

// Identities that became known late ------------------------------------------------
void Mailroom::join(const World& world) {
  std::vector<Channel*> old;
  for (const auto& [id, c] : channels_) {
    if (world.inter_id(id) != id) old.push_back(c.get());
  }
  // In the order in which they came to be, so that equal runs do the same.
  std::sort(old.begin(), old.end(),
            [](const Channel* a, const Channel* b) { return a->number < b->number; });
  for (Channel* from : old) {
    const std::uint64_t id = world.inter_id(from->id);
    std::unique_ptr<Channel>& into = channels_[id];
    if (into == nullptr) {
      into = std::move(channels_[from->id]);
      channels_.erase(from->id);
      channels_[id]->id = id;
    } else {
      merge(from, channels_[id].get());
    }
  }
}

void Mailroom::merge(Channel* from, Channel* into) {
  // Sides of `from` as `into` numbers them.
  int side[2] = {0, 1};
  if (into->inter && from->groups[0] != nullptr) {
    side[0] = into->side_of(from->groups[0]);
    side[1] = 1 - side[0];
  }
  std::vector<MessageQueue*> moved;
  by_key_.for_each([&](const QueueKey& key, MessageQueue* q) {
    if (key.channel / 4 == from->number) moved.push_back(q);
  });
  std::sort(moved.begin(), moved.end(), [](const MessageQueue* a, const MessageQueue* b) {
    const auto order = [](const QueueKey& k) {
      return std::tuple(k.channel, k.source, k.dest, k.tag);
    };
    return order(a->key) < order(b->key);
  });
  for (const auto& p : ports_) {
    if (p == nullptr || p->channel != from) continue;
    ports_by_place_.erase(place_of(from->number, p->process));
    p->channel = into;
    p->side = into->inter ? side[p->side] : 0;
    ports_by_place_[place_of(into->number, p->process)] = p.get();
    ++into->ports;
    const auto rename = [&](const WildList& list) {
      for (Operation* op = list.wildcards.head; op != nullptr; op = op->next_) op->channel = into;
    };
    rename(p->any);
    for (const auto& [tag, list] : p->by_tag) rename(list);
    for (const auto& [source, list] : p->by_source) rename(list);
  }
  for (MessageQueue* q : moved) {
    by_key_.erase(q->key);
    const std::uint32_t bits = q->key.channel % 4;
    q->key.channel = into->number * 4 + static_cast<std::uint32_t>(side[bits / 2]) * 2 + bits % 2;
    for (OperationList* list : {&q->sends, &q->recvs}) {
      for (Operation* op = list->head; op != nullptr; op = op->next_) op->channel = into;
    }
    MessageQueue** target = by_key_.find(q->key);
    if (target == nullptr) {
      by_key_[q->key] = q;
      continue;
    }
    // The members of a channel that is merged were not seen on the other one, so of each kind only
    // one queue has some.
    MessageQueue* t = *target;
    for (const auto list : {&MessageQueue::sends, &MessageQueue::recvs}) {
      while (Operation* op = (q->*list).head) {
        (q->*list).remove(op);
        op->queue_ = t;
        (t->*list).insert(op);
      }
    }
    if (t->receiver == nullptr) t->receiver = q->receiver;
    // Entries for q in heaps stay; it is empty from now on, and swept when they are gone.
    if (q->waiting == 0) {
      queues_.give_back(q);
    } else {
      q->key.channel = 0;
      q->key.tag = static_cast<std::int32_t>(next_channel_++);
      by_key_[q->key] = q;
    }
    pump(t);
  }
  channels_.erase(from->id);
}

// The end ------------------------------------------------
void Mailroom::settle(const std::function<Hint(const Operation&)>& hint) {
  for (const auto& p : ports_) {
    if (p != nullptr && p->unresolved > 0) settle_wildcards(*p, hint);
  }
  tell_unmatched();
}

namespace {

bool too_long(const Operation& send, const Operation& recv) {
  if (send.type == nullptr || recv.type == nullptr || send.count < 0 || recv.count < 0) return true;
  const auto bytes = [](const Operation& op) {
    return op.type->signature->digest.bytes * static_cast<std::uint64_t>(op.count);
  };
  return bytes(send) > bytes(recv);
}

}  // namespace

// A queue with a message that this wildcard could have taken, and whether there are several. What a
// schedule made it ask for, and that its message was too long, narrows them down.
MessageQueue* Mailroom::only_candidate(const Operation& op, const Hint& hint, bool& several) {
  const Port& port = *op.port_;
  const std::uint32_t channel =
      port.channel->number * 4 + static_cast<std::uint32_t>(port.side) * 2;
  MessageQueue* best = nullptr;
  several = false;
  by_key_.for_each([&](const QueueKey& key, MessageQueue* q) {
    if (key.channel != channel || key.dest != port.me || q->sends.empty()) return;
    if (op.peer != wire::kAnySource && op.peer != key.source) return;
    if (op.tag != wire::kAnyTag && op.tag != key.tag) return;
    if (hint.source >= 0 && hint.source != key.source) return;
    if (hint.tag >= 0 && hint.tag != key.tag) return;
    if (hint.truncated && !too_long(*first_send(q), op)) return;
    if (!q->recvs.empty() && q->recvs.head->position_ < op.position_) return;
    several = several || best != nullptr;
    if (best == nullptr ||
        std::tie(key.source, key.tag) < std::tie(best->key.source, best->key.tag))
      best = q;
  });
  return best;
}

void Mailroom::settle_wildcards(Port& port, const std::function<Hint(const Operation&)>& hint) {
  std::vector<Operation*> all;
  const auto collect = [&](const WildList& list) {
    for (Operation* op = list.wildcards.head; op != nullptr; op = op->next_) all.push_back(op);
  };
  collect(port.any);
  for (const auto& [tag, list] : port.by_tag) collect(list);
  for (const auto& [source, list] : port.by_source) collect(list);
  std::sort(all.begin(), all.end(),
            [](const Operation* a, const Operation* b) { return a->position_ < b->position_; });
  for (Operation* op : all) {
    bool several = false;
    MessageQueue* q = op->role == Role::look ? nullptr : only_candidate(*op, hint(*op), several);
    if (q != nullptr && !several && op->buffer_known) {
      resolve(op, q->key.source, q->key.tag);
      continue;
    }
    if (q != nullptr) {  // it took one of them: nobody knows which, so nobody is told
      Operation* send = first_send(q);
      q->sends.remove(send);
      done(send);
    }
    withdraw(op);
  }
}

// In the order of posting on each process.
void Mailroom::tell_unmatched() {
  struct Left {
    std::uint32_t process;
    std::uint64_t position;
    MessageQueue* queue;
    bool sends;
    bool operator<(const Left& other) const {
      return std::tie(process, position) > std::tie(other.process, other.position);
    }  // a heap's top is the first
  };
  std::vector<Left> heap;
  const auto add = [&](MessageQueue* q, bool sends) {
    const OperationList& list = sends ? q->sends : q->recvs;
    if (list.empty()) return;
    heap.push_back({list.head->process, list.head->position_, q, sends});
    std::push_heap(heap.begin(), heap.end());
  };
  by_key_.for_each([&](const QueueKey&, MessageQueue* q) {
    add(q, true);
    add(q, false);
  });
  // A loop that loses messages loses them all for one reason.
  std::map<std::tuple<std::uint32_t, std::uint32_t, const Channel*, std::int64_t, std::int64_t>,
           NearMiss>
      known;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    const Left next = heap.back();
    heap.pop_back();
    Operation* op = next.sends ? first_send(next.queue) : next.queue->recvs.head;
    (next.sends ? next.queue->sends : next.queue->recvs).remove(op);
    add(next.queue, next.sends);
    if (next.sends ? !op->cancel_asked : op->partitions != 0) {
      const auto [near, is_new] =
          known.try_emplace({op->process, op->site.value, op->channel, op->peer, op->tag});
      if (is_new) near->second = near_miss(*op);
      for (MatchObserver* o : observers_) o->on_unmatched(*op, near->second);
    }
    operations_.give_back(op);
  }
  if (forgotten_ == 0) return;
  for (MatchObserver* o : observers_) o->on_forgotten(forgotten_, limits_.most, forgotten_at_);
}

}  // namespace vouch
