#include "wait/inbox.h"

#include <algorithm>
#include <utility>

namespace vouch::wait {

// Queues and channels ------------------------------------------------
namespace {

MessageKey without_tag(const MessageKey& key) { return {key.comm, key.source, key.dest, kAnyTag}; }

}  // namespace

inline Messages* Inbox::queue(const MessageKey& key) {
  if (Messages** found = queues_.find(key)) [[likely]]
    return *found;
  return new_queue(key);
}

Messages* Inbox::new_queue(const MessageKey& key) {
  if (pool_.live() >= sweep_at_) sweep();
  Messages* q = pool_.take();
  q->key = key;
  queues_[key] = q;
  if (!channels_.empty()) {
    if (const auto c = channels_.find(without_tag(key)); c != channels_.end()) {
      q->channel = c->second.get();
      ++q->channel->queues;
    }
  }
  return q;
}

Channel* Inbox::watch(const MessageKey& key) {
  std::unique_ptr<Channel>& c = channels_[key];
  if (c != nullptr) return c.get();
  c = std::make_unique<Channel>();
  c->key = key;
  queues_.for_each([&](const MessageKey& k, Messages* q) {
    if (without_tag(k) != key) return;
    q->channel = c.get();
    ++c->queues;
    if (!q->sends.empty()) note_first(q);
  });
  return c.get();
}

// The queue has another first message.
void Inbox::note_first(Messages* q) {
  std::vector<Channel::First>& firsts = q->channel->firsts;
  firsts.push_back({q->sends.head->at, q});
  std::push_heap(firsts.begin(), firsts.end());
  if (firsts.size() <= 2 * q->channel->queues + 64) return;
  std::erase_if(firsts, [](const Channel::First& f) {
    return f.queue->sends.empty() || f.queue->sends.head->at != f.at;
  });
  std::sort(firsts.begin(), firsts.end());
  firsts.erase(std::unique(firsts.begin(), firsts.end(),
                           [](const auto& a, const auto& b) { return a.queue == b.queue; }),
               firsts.end());
  std::make_heap(firsts.begin(), firsts.end());
}

Messages* Inbox::first_queue(Channel* c) {
  std::vector<Channel::First>& firsts = c->firsts;
  while (!firsts.empty()) {
    const auto [at, q] = firsts.front();
    if (!q->sends.empty() && q->sends.head->at == at) return q;
    std::pop_heap(firsts.begin(), firsts.end());
    firsts.pop_back();
  }
  return nullptr;
}

// Tags may be used once each: queues that are empty go when there are many.
void Inbox::sweep() {
  std::vector<Messages*> empty;
  queues_.for_each([&](const MessageKey&, Messages* q) {
    if (q->empty()) empty.push_back(q);
  });
  for (const Messages* q : empty) {
    if (q->channel != nullptr) --q->channel->queues;
  }
  for (auto& [key, c] : channels_) {
    std::erase_if(c->firsts, [](const Channel::First& f) { return f.queue->empty(); });
    std::make_heap(c->firsts.begin(), c->firsts.end());
    const auto door = doors_.find(DoorKey{key.comm, key.dest});
    c->awaited = door != doors_.end() && door->second.by_source.contains(key.source);
  }
  const auto unused = [](const Channel* c) { return c->queues == 0 && !c->awaited; };
  // What waits behind a wildcard has a receive, so it is not empty; but it may have been emptied
  // since.
  for (auto& [key, door] : doors_) {
    std::erase_if(door.limited, [](const Messages* q) { return q->empty(); });
    each_list(door, [&](Wildcards& w) {
      std::erase_if(w.waiting, [](const Messages* q) { return q->empty(); });
      std::erase_if(w.channels, unused);
    });
  }
  std::erase_if(channels_, [&](const auto& c) { return unused(c.second.get()); });
  for (Messages* q : empty) {
    queues_.erase(q->key);
    pool_.give_back(q);
  }
  sweep_at_ = std::max<std::size_t>(1024, pool_.live() * 2);
}

inline void Inbox::post(Messages* q, Op* recv) {
  recv->queue = q;
  q->recvs.insert_by_index(recv);
  if (recv->kind != Kind::probe) ++q->takers;
  q->claims += recv->claims;
}

inline void Inbox::unlink_recv(Messages* q, Op* recv) {
  recv->queue = nullptr;
  q->recvs.remove(recv);
  if (recv->kind != Kind::probe) --q->takers;
  q->claims -= recv->claims;
}

inline void Inbox::unlink_send(Messages* q, Op* send) {
  send->queue = nullptr;
  if (send->promised) [[unlikely]] {
    --q->promised;
    if (q->last_promised == send) q->last_promised = send->prev;
  }
  const bool first = q->sends.head == send;
  q->sends.remove(send);
  if (q->channel != nullptr && first && !q->sends.empty()) [[unlikely]]
    note_first(q);
}

// Meeting ------------------------------------------------
Wildcards& Inbox::pattern(Door& door, const Op& op) {
  const Envelope& e = op.envelope;
  if (e.source != kAnyRank) return door.by_source[e.source];
  if (e.tag != kAnyTag) return door.by_tag[e.tag];
  return door.any;
}

namespace {

bool starts_before(const Wildcards& w, const Op& recv) {
  return !w.ops.empty() && w.ops.head->at < recv.at;
}

}  // namespace

// Those of any source of which the first came before this receive and could have taken its message.
Wildcards* Inbox::any_source_before(Door& door, std::int32_t tag, const Op& recv) {
  if (starts_before(door.any, recv)) return &door.any;
  const auto found = door.by_tag.find(tag);
  return found != door.by_tag.end() && starts_before(found->second, recv) ? &found->second
                                                                          : nullptr;
}

Wildcards* Inbox::hold_up(const Messages& q, const Op& recv) {
  if (doors_.empty()) return nullptr;
  const auto found = doors_.find(DoorKey{q.key.comm, q.key.dest});
  if (found == doors_.end() || found->second.unresolved == 0) return nullptr;
  Door& door = found->second;
  if (Wildcards* any = any_source_before(door, q.key.tag, recv)) return any;
  const auto source = door.by_source.find(q.key.source);
  return source != door.by_source.end() && starts_before(source->second, recv) ? &source->second
                                                                               : nullptr;
}

bool Inbox::may_be_claimed(const Messages& q) const {
  const auto found = doors_.find(DoorKey{q.key.comm, q.key.dest});
  return q.claims > 0 || (found != doors_.end() && found->second.claims > 0);
}

// Receives of the queue that come before every matched probe which may take a message of it: one
// that a probe takes may have to wait until it is received.
std::size_t Inbox::surely_received(Messages& q) {
  if (!may_be_claimed(q)) return q.takers;
  Index claim = ~Index{0};
  Door& door = doors_[DoorKey{q.key.comm, q.key.dest}];  // what holds up the queue is there
  each_list(door, [&](const Wildcards& w) {
    for (const Op* op = w.ops.head; op != nullptr; op = op->next) {
      if (op->claims && accepts(op->envelope, q.key)) claim = std::min(claim, op->at);
    }
  });
  if (claim != ~Index{0}) door.limited.insert(&q);
  std::size_t n = 0;
  for (const Op* recv = q.recvs.head; recv != nullptr; recv = recv->next) {
    if (recv->claims || recv->at > claim) break;
    n += recv->kind != Kind::probe;
  }
  return n;
}

void Inbox::unclaim(Op* probe, std::vector<Meeting>& met) {
  if (probe->queue != nullptr) {
    --probe->queue->claims;
    probe->claims = false;
    return pump(probe->queue, met);
  }
  probe->claims = false;
  if (probe->among == nullptr) return;
  Door& door = doors_[DoorKey{probe->envelope.comm, probe->envelope.dest}];
  --door.claims;
  for (Messages* q : std::exchange(door.limited, {})) pump(q, met);
}

void Inbox::pump(Messages* q, std::vector<Meeting>& met) {
  while (!q->sends.empty() && !q->recvs.empty()) {
    Op* recv = q->recvs.head;
    if (Wildcards* first = hold_up(*q, *recv)) {
      if (q->waits != first) {
        // It may stand in another list, too: being looked at once more does no harm.
        q->waits = first;
        first->waiting.push_back(q);
      }
      return promise(q, met);
    }
    q->waits = nullptr;
    Op* send = awake(q, q->sends.head);
    unlink_recv(q, recv);
    if (recv->kind != Kind::probe) unlink_send(q, send);
    met.push_back({send, recv});
  }
}

// Whoever takes the first of them, as many are taken as receives are posted for them.
void Inbox::promise(Messages* q, std::vector<Meeting>& met) {
  const std::size_t received = surely_received(*q);
  while (q->promised < received) {
    Op* send = q->last_promised != nullptr ? q->last_promised->next : q->sends.head;
    if (send == nullptr) return;
    send = awake(q, send);
    send->promised = true;
    ++q->promised;
    q->last_promised = send;
    met.push_back({send, nullptr});
  }
}

// The first message goes to the first receive of any tag, if none of any source came before it.
// Receives of its own tag that came before have had their chance.
void Inbox::pump(Channel* c, std::vector<Meeting>& met) {
  while (Messages* q = first_queue(c)) {
    const auto found = doors_.find(DoorKey{c->key.comm, c->key.dest});
    if (found == doors_.end()) return;
    Door& door = found->second;
    const auto wildcards = door.by_source.find(c->key.source);
    if (wildcards == door.by_source.end() || wildcards->second.ops.empty()) return;
    // Of messages that are forgotten nobody knows whether they came before those of other tags.
    const Op* head = q->sends.head;
    if (head->vague || (head->batch != nullptr && head->batch->forgotten > 0)) return;
    Op* recv = wildcards->second.ops.head;
    Op* send = awake(q, q->sends.head);
    if (Wildcards* first = any_source_before(door, send->envelope.tag, *recv)) {
      if (c->waits == first) return;
      c->waits = first;
      return first->channels.push_back(c);
    }
    c->waits = nullptr;
    recv->resolved = true;
    recv->source = send->envelope.source;
    recv->tag = send->envelope.tag;
    wildcards->second.ops.remove(recv);
    recv->among = nullptr;
    if (recv->kind != Kind::probe) unlink_send(q, send);
    met.push_back({send, recv});
    Wildcards behind = std::exchange(wildcards->second, Wildcards{wildcards->second.ops, {}, {}});
    std::set<Messages*> limited;
    if (recv->claims) {
      --door.claims;
      limited.swap(door.limited);
    }
    if (--door.unresolved == 0) doors_.erase(found);
    look_again(std::move(behind), met);
    for (Messages* other : limited) pump(other, met);
  }
}

void Inbox::add(Op* op, std::vector<Meeting>& met) {
  const Envelope& e = op->envelope;
  if (op->kind == Kind::send) {
    Messages* q = queue({e.comm, e.source, e.dest, e.tag});
    op->queue = q;
    q->sends.append(op);
    if (q->channel != nullptr) [[unlikely]] {
      Channel* c = q->channel;
      if (q->sends.head == op) note_first(q);
      pump(q, met);
      return pump(c, met);
    }
    return pump(q, met);
  }
  if (op->wildcard && !op->resolved) {
    Door& door = doors_[DoorKey{e.comm, e.dest}];
    ++door.unresolved;
    door.claims += op->claims;
    op->among = &pattern(door, *op);
    op->among->ops.append(op);
    return pump_channel_of(*op, met);
  }
  Messages* q =
      queue({e.comm, op->wildcard ? op->source : e.source, e.dest, op->wildcard ? op->tag : e.tag});
  post(q, op);
  pump(q, met);
}

Messages* Inbox::plain_queue(Kind kind, const Envelope& e) {
  if (!doors_.empty()) return nullptr;
  Messages* q = queue({e.comm, e.source, e.dest, e.tag});
  const Op *const send = q->sends.head, *const recv = q->recvs.head;
  if (q->channel != nullptr || (send != nullptr && recv != nullptr)) return nullptr;
  const bool usual = kind == Kind::send
                         ? recv == nullptr || (recv->kind != Kind::probe && !recv->claims)
                         : send == nullptr || (send->batch == nullptr && !send->remote);
  return usual ? q : nullptr;
}

Op* Inbox::take_partner(Messages* q, Kind kind) {
  Op* partner = kind == Kind::send ? q->recvs.head : q->sends.head;
  if (partner == nullptr) return nullptr;
  (kind == Kind::send ? unlink_recv : unlink_send)(q, partner);
  q->waits = nullptr;
  return partner;
}

void Inbox::wait_in(Messages* q, Op* op) {
  if (op->kind == Kind::recv) return post(q, op);
  op->queue = q;
  q->sends.append(op);
}

void Inbox::pump_channel_of(const Op& wildcard, std::vector<Meeting>& met) {
  const Envelope& e = wildcard.envelope;
  if (e.source != kAnyRank) pump(watch({e.comm, e.source, e.dest, kAnyTag}), met);
}

void Inbox::look_again(Wildcards&& behind, std::vector<Meeting>& met) {
  for (Messages* q : behind.waiting) q->waits = nullptr;
  for (Channel* c : behind.channels) c->waits = nullptr;
  for (Messages* q : behind.waiting) pump(q, met);
  for (Channel* c : behind.channels) pump(c, met);
}

// It no longer stands among the unresolved ones, but perhaps in a queue: those behind it must find
// it there.
void Inbox::leave(Op* op, Messages* into, std::vector<Meeting>& met) {
  Wildcards* among = op->among;
  const bool first = among->ops.head == op;
  among->ops.remove(op);
  op->among = nullptr;
  const auto door = doors_.find(DoorKey{op->envelope.comm, op->envelope.dest});
  Wildcards behind;
  if (first) {
    behind.waiting.swap(among->waiting);
    behind.channels.swap(among->channels);
  }
  std::set<Messages*> limited;
  if (op->claims) {
    --door->second.claims;
    limited.swap(door->second.limited);
  }
  if (--door->second.unresolved == 0) doors_.erase(door);
  if (into != nullptr) {
    post(into, op);
    pump(into, met);
  }
  look_again(std::move(behind), met);
  for (Messages* q : limited) pump(q, met);
  if (first) pump_channel_of(*op, met);
}

void Inbox::resolve(Op* op, std::vector<Meeting>& met) {
  const Envelope& e = op->envelope;
  leave(op, queue({e.comm, op->source, e.dest, op->tag}), met);
}

void Inbox::remove(Op* op, std::vector<Meeting>& met) {
  if (op->among != nullptr) return leave(op, nullptr, met);
  Messages* q = op->queue;
  if (q == nullptr) return;
  (op->kind == Kind::send ? unlink_send : unlink_recv)(q, op);
  pump(q, met);
  if (q->channel != nullptr) pump(q->channel, met);
}

// It was sent before all that are left there.
void Inbox::put_back(Op* send, std::vector<Meeting>& met) {
  const Envelope& e = send->envelope;
  Messages* q = queue({e.comm, e.source, e.dest, e.tag});
  send->queue = q;
  q->sends.insert_by_index(send);
  send->promised = send->next != nullptr && send->next->promised;
  q->promised += send->promised;
  if (q->channel != nullptr && q->sends.head == send) note_first(q);
  pump(q, met);
  if (q->channel != nullptr) pump(q->channel, met);
}

void Inbox::replace(Op* send, Op* stand_in) {
  Messages* q = send->queue;
  q->sends.replace(send, stand_in);
  if (q->last_promised == send) q->last_promised = stand_in;
  stand_in->promised = true;
  stand_in->queue = std::exchange(send->queue, nullptr);
}

// Looking ------------------------------------------------
Inbox::Offers Inbox::offers() const {
  Offers all;
  queues_.for_each([&](const MessageKey& k, const Messages* q) {
    if (!q->sends.empty()) all[k.dest].push_back(q);
  });
  return all;
}

std::vector<const Messages*> Inbox::undecided(const Offers& offers, bool decisions) const {
  std::vector<const Messages*> list;
  for (const auto& [key, door] : doors_) {
    const auto here = offers.find(key.rank);
    if (here == offers.end()) continue;
    for (const Messages* q : here->second) {
      if (q->last_promised == q->sends.tail) continue;  // all are
      bool one = false;
      // All of a list have one pattern.
      each_list(door, [&](const Wildcards& w) {
        one = one || (!w.ops.empty() && accepts(w.ops.head->envelope, q->key));
      });
      if (one) list.push_back(q);
    }
  }
  if (decisions) return list;
  queues_.for_each([&](const MessageKey& key, const Messages* waiting) {
    const auto here = offers.find(key.dest);
    for (const Op* recv = waiting->recvs.head; recv != nullptr && here != offers.end();
         recv = recv->next) {
      if (!recv->decided) continue;
      for (const Messages* q : here->second) {
        if (q->last_promised != q->sends.tail && accepts(recv->asked, q->key)) list.push_back(q);
      }
    }
  });
  return list;
}

std::vector<Index> Inbox::first_of(const Messages& q, std::size_t most) {
  std::vector<Index> all;
  for (const Op* send = q.sends.head; send != nullptr && all.size() < most; send = send->next) {
    if (send->batch == nullptr) {
      all.push_back(send->at);
      continue;
    }
    const Batch& batch = *send->batch;
    for (std::uint64_t i = 0; i < batch.forgotten && all.size() < most; ++i)
      all.push_back(send->at);
    for (std::size_t i = batch.first; i < batch.messages.size() && all.size() < most; ++i)
      all.push_back(batch.messages[i].at);
  }
  return all;
}

bool Inbox::takes_one(const Envelope& e, const Offers& offers) {
  const auto here = offers.find(e.dest);
  if (here == offers.end()) return false;
  return std::any_of(here->second.begin(), here->second.end(),
                     [&](const Messages* q) { return accepts(e, q->key); });
}

std::vector<const Op*> Inbox::posted(CommId comm, Rank rank, const Offers& offers) const {
  std::vector<const Op*> all;
  const auto add = [&](const OpList& list) {
    for (const Op* op = list.head; op != nullptr; op = op->next) all.push_back(op);
  };
  if (const auto here = offers.find(rank); here != offers.end()) {
    for (const Messages* q : here->second) {
      if (q->key.comm == comm) add(q->recvs);
    }
  }
  if (const auto door = doors_.find(DoorKey{comm, rank}); door != doors_.end())
    each_list(door->second, [&](const Wildcards& w) { add(w.ops); });
  std::sort(all.begin(), all.end(), [](const Op* a, const Op* b) { return a->at < b->at; });
  return all;
}

}  // namespace vouch::wait
