#include "wait/inbox.h"

#include <algorithm>
#include <utility>

namespace vouch::wait {

void OpList::append(Op* op) {
  op->prev = tail;
  op->next = nullptr;
  (tail != nullptr ? tail->next : head) = op;
  tail = op;
}

void OpList::insert_by_index(Op* op) {
  Op* before = tail;
  while (before != nullptr && before->at > op->at) before = before->prev;
  op->prev = before;
  op->next = before != nullptr ? before->next : head;
  (op->next != nullptr ? op->next->prev : tail) = op;
  (before != nullptr ? before->next : head) = op;
}

void OpList::remove(Op* op) {
  (op->prev != nullptr ? op->prev->next : head) = op->next;
  (op->next != nullptr ? op->next->prev : tail) = op->prev;
  op->next = op->prev = nullptr;
}

Messages* Inbox::queue(const MessageKey& key) {
  if (Messages** found = queues_.find(key)) return *found;
  if (pool_.live() >= sweep_at_) sweep();
  Messages* q = pool_.take();
  q->key = key;
  queues_[key] = q;
  return q;
}

// Tags may be used once each: queues that are empty go when there are many.
void Inbox::sweep() {
  std::vector<Messages*> empty;
  queues_.for_each([&](const MessageKey&, Messages* q) {
    if (q->empty()) empty.push_back(q);
  });
  // A queue that waits behind a wildcard has a receive, so it is not empty; but it may have been
  // emptied since.
  for (auto& [key, door] : doors_) {
    const auto clean = [](Wildcards& w) {
      std::erase_if(w.waiting, [](const Messages* q) { return q->empty(); });
    };
    clean(door.any);
    for (auto& [tag, w] : door.by_tag) clean(w);
    for (auto& [source, w] : door.by_source) clean(w);
  }
  for (Messages* q : empty) {
    queues_.erase(q->key);
    pool_.give_back(q);
  }
  sweep_at_ = std::max<std::size_t>(1024, pool_.live() * 2);
}

Wildcards& Inbox::pattern(Door& door, const Op& op) {
  const Envelope& e = op.envelope;
  if (e.source != kAnyRank) return door.by_source[e.source];
  if (e.tag != kAnyTag) return door.by_tag[e.tag];
  return door.any;
}

// The wildcards of which the first came before this receive and could have taken its message.
Wildcards* Inbox::hold_up(const Messages& q, const Op& recv) {
  if (doors_.empty()) return nullptr;
  const auto found = doors_.find(DoorKey{q.key.comm, q.key.dest});
  if (found == doors_.end() || found->second.unresolved == 0) return nullptr;
  Door& door = found->second;
  const auto before = [&](const Wildcards& w) {
    return !w.ops.empty() && w.ops.head->at < recv.at;
  };
  if (before(door.any)) return &door.any;
  const auto tag = door.by_tag.find(q.key.tag);
  if (tag != door.by_tag.end() && before(tag->second)) return &tag->second;
  const auto source = door.by_source.find(q.key.source);
  if (source != door.by_source.end() && before(source->second)) return &source->second;
  return nullptr;
}

void Inbox::pump(Messages* q, std::vector<Meeting>& met) {
  while (!q->sends.empty() && !q->recvs.empty()) {
    Op* recv = q->recvs.head;
    if (Wildcards* first = hold_up(*q, *recv)) {
      if (q->waits == first) return;
      // It may stand in another list, too: being looked at once more does no harm.
      q->waits = first;
      first->waiting.push_back(q);
      return;
    }
    q->waits = nullptr;
    Op* send = q->sends.head;
    q->recvs.remove(recv);
    recv->queue = nullptr;
    if (recv->kind != Kind::probe) {
      q->sends.remove(send);
      send->queue = nullptr;
    }
    met.push_back({send, recv});
  }
}

void Inbox::add(Op* op, std::vector<Meeting>& met) {
  const Envelope& e = op->envelope;
  if (op->kind == Kind::send) {
    Messages* q = queue({e.comm, e.source, e.dest, e.tag});
    op->queue = q;
    q->sends.append(op);
    return pump(q, met);
  }
  if (op->wildcard && !op->resolved) {
    Door& door = doors_[DoorKey{e.comm, e.dest}];
    ++door.unresolved;
    op->among = &pattern(door, *op);
    op->among->ops.append(op);
    return;
  }
  Messages* q =
      queue({e.comm, op->wildcard ? op->source : e.source, e.dest, op->wildcard ? op->tag : e.tag});
  op->queue = q;
  q->recvs.insert_by_index(op);
  pump(q, met);
}

void Inbox::look_again(const std::vector<Messages*>& waiting, std::vector<Meeting>& met) {
  for (Messages* q : waiting) q->waits = nullptr;
  for (Messages* q : waiting) pump(q, met);
}

// It no longer stands among the unresolved ones.
void Inbox::leave(Op* op, std::vector<Meeting>& met) {
  Wildcards* among = op->among;
  const bool first = among->ops.head == op;
  among->ops.remove(op);
  op->among = nullptr;
  const auto door = doors_.find(DoorKey{op->envelope.comm, op->envelope.dest});
  --door->second.unresolved;
  if (!first) return;
  const std::vector<Messages*> waiting = std::exchange(among->waiting, {});
  if (door->second.unresolved == 0) doors_.erase(door);
  look_again(waiting, met);
}

void Inbox::resolve(Op* op, std::vector<Meeting>& met) {
  // Into its queue first: those behind it must find it there.
  Wildcards* among = op->among;
  const Envelope& e = op->envelope;
  Messages* q = queue({e.comm, op->source, e.dest, op->tag});
  among->ops.remove(op);
  op->among = nullptr;
  op->queue = q;
  q->recvs.insert_by_index(op);
  const auto door = doors_.find(DoorKey{e.comm, e.dest});
  const std::vector<Messages*> waiting = std::exchange(among->waiting, {});
  if (--door->second.unresolved == 0) doors_.erase(door);
  pump(q, met);
  look_again(waiting, met);
}

void Inbox::remove(Op* op, std::vector<Meeting>& met) {
  if (op->among != nullptr) return leave(op, met);
  Messages* q = op->queue;
  if (q == nullptr) return;
  op->queue = nullptr;
  (op->kind == Kind::send ? q->sends : q->recvs).remove(op);
  pump(q, met);
}

Inbox::Offers Inbox::offers() const {
  Offers all;
  queues_.for_each([&](const MessageKey& k, const Messages* q) {
    if (!q->sends.empty()) all[k.dest].push_back(q);
  });
  return all;
}

std::vector<Rank> Inbox::undecided(const Offers& offers) const {
  std::vector<Rank> ranks;
  for (const auto& [key, door] : doors_) {
    bool one = false;
    const auto look = [&](const Wildcards& w) {
      one = one || (!w.ops.empty() && takes_one(w.ops.head->envelope, offers));
    };
    look(door.any);
    for (const auto& [tag, w] : door.by_tag) look(w);
    for (const auto& [source, w] : door.by_source) look(w);
    if (one) ranks.push_back(key.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

bool Inbox::takes_one(const Envelope& e, const Offers& offers) {
  const auto here = offers.find(e.dest);
  if (here == offers.end()) return false;
  return std::any_of(here->second.begin(), here->second.end(),
                     [&](const Messages* q) { return accepts(e, q->key); });
}

}  // namespace vouch::wait
