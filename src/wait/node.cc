#include "wait/node.h"

#include <algorithm>
#include <utility>

#include "base/check_slow.h"

namespace vouch::wait {

Node::Node(int id, Layout layout, Network* network, Buffering buffering)
    : id_(id), layout_(std::move(layout)), network_(network), buffering_(buffering) {
  VOUCH_CHECK(layout_.nodes == 1 || network_ != nullptr);
}

Node::~Node() = default;

void Node::define(CommId comm, GroupRef group) {
  groups_.insert_or_assign(comm, std::move(group));
  shares_.erase(comm);
  share_ = nullptr;
}

// Tracks and operations ----------------------------------------------------
Node::Track& Node::new_track(Rank rank) {
  const auto i = static_cast<std::size_t>(rank);
  if (i >= tracks_.size()) tracks_.resize(i + 1);
  tracks_[i] = std::make_unique<Track>();
  tracks_[i]->mine = true;
  tracks_[i]->window.resize(8);
  tracks_[i]->mask = 7;
  return *tracks_[i];
}

const Node::Track& Node::track(Rank rank) const {
  static const Track nothing;
  const auto i = static_cast<std::size_t>(rank);
  return i < tracks_.size() && tracks_[i] != nullptr ? *tracks_[i] : nothing;
}

void Node::make_room(Track& t) {
  // What lives long after it was passed stands aside; else the ring must grow.
  constexpr std::size_t kUsual = 256;
  if (t.window.size() >= kUsual) {
    const Index before = t.base;
    while (t.base < t.next && t.next - t.base > kUsual / 2) {
      Op* op = t.slot(t.base);
      if (op != nullptr && !op->passed) break;
      if (op != nullptr) t.old[t.base] = std::exchange(t.slot(t.base), nullptr);
      ++t.base;
    }
    if (t.base > before) return;
  }
  std::vector<Op*> larger(t.window.size() * 2);
  for (Index i = t.base; i < t.next; ++i) larger[i & (larger.size() - 1)] = t.slot(i);
  t.window = std::move(larger);
  t.mask = t.window.size() - 1;
}

// Each operation of the window stands at its own place, and no strand is in one that it has passed.
bool Node::in_order(const Track& t) {
  constexpr std::size_t kLooked = 256;  // a test may have a window of 10^5 operations
  if (t.window.size() > kLooked) return true;
  for (Index i = t.base; i < t.next; ++i) {
    const Op* its = t.window[i & t.mask];
    if (its != nullptr && its->at != i) return false;
  }
  for (std::size_t i = 0; i < t.strands(); ++i) {
    const Op* current = t.strand(i).current;
    if (current != nullptr && current->passed) return false;
  }
  return t.next - t.base <= t.window.size();
}

inline Index Node::append(Track& t, Op* op) {
  const Index at = op->at = t.next;
  ++t.kept;
  if (at - t.base > t.mask) [[unlikely]]
    make_room(t);
  ++t.next;
  t.slot(at) = op;
  while (op->strand >= t.strands()) [[unlikely]] t.more.push_back(std::make_unique<Strand>());
  Strand& s = t.strand(op->strand);
  // Behind an operation that waits nothing moves.
  const bool moves = s.current == nullptr;
  (moves ? s.current : s.last->next_own) = op;
  s.last = op;
  if (draining_ || frozen_) [[unlikely]] {
    ready_.push_back(op->rank);
  } else {
    if (moves) advance(t, s);
    if (!ready_.empty()) drain();
  }
  VOUCH_CHECK_SLOW(in_order(t));
  return at;
}

Index Node::append(Op* op) { return append(track(op->rank), op); }

Op* Node::find_old(Track& t, Index at) {
  Op** old = t.old.find(at);
  return old == nullptr ? nullptr : *old;
}

inline void Node::take_out(Track& t, const Op& op) {
  if (op.at >= t.base) [[likely]] {
    t.slot(op.at) = nullptr;
    t.skip_forgotten();
  } else {
    t.old.erase(op.at);
  }
}

void Node::take_out(const Op& op) { take_out(track(op.rank), op); }

inline void Node::forget(Track& t, Op* op) {
  VOUCH_CHECK(t.kept > 0 && op->references == 0);
  VOUCH_CHECK_SLOW(op->waiter == nullptr);
  --t.kept;
  take_out(t, *op);
  ops_.give_back(op);
}

void Node::forget(Op* op) {
  if (op->remote) return ops_.give_back(op);
  forget(track(op->rank), op);
}

// `t`: of its process, if that is known.
inline void Node::forget_if_done(Op* op, Track* t) {
  if (!op->passed || op->held || op->references > 0) return;
  const bool meets =
      op->kind == Kind::send || op->kind == Kind::recv || op->kind == Kind::collective;
  if (!meets || op->met || op->withdrawn) {
    t != nullptr && !op->remote ? forget(*t, op) : forget(op);
  } else if (op->kind == Kind::send && ops_.live() > limits_.busy) [[unlikely]] {
    rest(op);
  }
}

void Node::forget_if_done(Op* op) { forget_if_done(op, nullptr); }

// The rules ----------------------------------------------------
inline void Node::activate(Op* op) {
  op->active = true;
  if (op->withdrawn) return;
  switch (op->kind) {
    case Kind::send:
    case Kind::recv:
    case Kind::probe: {
      if (op->kind == Kind::send && !local(op->envelope.dest)) return pass_on(*op);
      Messages* queue = op->wildcard || op->kind == Kind::probe || op->claims
                            ? nullptr
                            : inbox_.plain_queue(op->kind, op->envelope);
      if (queue == nullptr) {
        inbox_.add(op, met_);
        return take_meetings();
      }
      Op* partner = inbox_.take_partner(queue, op->kind);
      if (partner == nullptr) return inbox_.wait_in(queue, op);
      return op->kind == Kind::send ? meet(op, partner) : meet(partner, op);
    }
    case Kind::collective: {
      if (op->excused && !groups_.contains(op->envelope.comm)) return;
      Gathering* g = gathering(op->envelope.comm, op->wave);
      g->ops.push_back(op);
      return look_at(g);
    }
    case Kind::receipt:
      return receive_claimed(*op);
    case Kind::completion:
      for (Op* part : op->parts) {
        if (part->fulfilled()) {
          ++op->met_parts;
        } else {
          part->waiter = op;
        }
      }
      return;
    case Kind::finalize:
    case Kind::other:
      return;
  }
}

// To the node of its receiver.
void Node::pass_on(const Op& send) {
  const int node = layout_.owner(send.envelope.dest);
  touched_.insert(node);
  tell(node, {.type = Message::Type::pass_send,
              .rank = send.rank,
              .at = send.at,
              .envelope = send.envelope});
}

inline void Node::meet(Op* send, Op* recv) {
  VOUCH_CHECK(!recv->met);
  recv->met = true;
  recv->took = send->at;
  fulfilled(recv);
  if (recv->kind == Kind::probe) return;
  if (recv->claims) [[unlikely]]
    return claim_for(recv, send);
  if (send->remote) [[unlikely]] {
    tell_met(*send);
    forget(send);
  } else {
    send->met = true;
    fulfilled(send);
  }
}

// The message has left its queue, and its sender still waits.
void Node::claim_for(Op* probe, Op* send) {
  ++claimed_[{probe->rank, sender_of(*probe)}];
  if (send->remote) return forget(send);  // its node, or its process's `open`, still has it
  send->claimed = true;
  send->took = probe->at;
}

void Node::unclaim(const Op& probe) {
  const auto of_pair = claimed_.find({probe.rank, sender_of(probe)});
  if (of_pair != claimed_.end() && --of_pair->second == 0) claimed_.erase(of_pair);
}

void Node::receive_claimed(const Op& receipt) {
  Op* probe = find(receipt.rank, receipt.took);
  if (probe == nullptr || !probe->claims) return;
  inbox_.unclaim(probe, met_);
  if (probe->met) {
    unclaim(*probe);
    was_received(sender_of(*probe), probe->took);
  }
  release(probe->rank, probe->at);
  take_meetings();
}

void Node::take_meetings() {
  for (const Inbox::Meeting& m : met_) {
    if (m.recv != nullptr) {
      meet(m.send, m.recv);
    } else if (m.send->queue != nullptr) {  // else it has met since
      keep_promise(m.send);
    }
  }
  met_.clear();
}

void Node::tell_met(const Op& send) {
  if (!send.met) was_received(send.rank, send.at);  // else it knows
}

// Its process goes on; what stays in the inbox is the message.
void Node::keep_promise(Op* send) {
  if (!send->remote) {
    Op* message = make_message(send->rank, send->at, send->envelope);
    message->met = true;
    inbox_.replace(send, message);
  } else {
    tell_met(*send);
  }
  send->met = true;
  if (!send->remote) fulfilled(send);
}

Op* Node::make_message(Rank rank, Index at, const Envelope& envelope) {
  Op* op = make(rank, Kind::send, {}, false);
  op->remote = op->active = op->passed = true;
  op->at = at;
  op->envelope = envelope;
  return op;
}

void Node::fulfilled(Op* op) {
  if (op->waiter != nullptr) {
    ++op->waiter->met_parts;
    op->waiter = nullptr;
    ready_.push_back(op->rank);
  }
  if (op->passed) {
    forget_if_done(op);
  } else if (op->active &&
             advancing_ != &tracks_[static_cast<std::size_t>(op->rank)]->strand(op->strand)) {
    ready_.push_back(op->rank);
  }
}

inline void Node::pass(Track& t, Strand& s, Op* op) {
  VOUCH_CHECK(!op->passed && t.position < t.next);
  op->passed = true;
  ++t.position;
  s.current = op->next_own;
  if (op->kind == Kind::completion) {
    for (Op* part : op->parts) {
      if (part->waiter == op) part->waiter = nullptr;
      VOUCH_CHECK(part->references > 0);
      --part->references;
      forget_if_done(part, &t);
    }
  } else if (op->kind == Kind::probe && !op->met && op->active && !op->withdrawn) {
    op->withdrawn = true;
    inbox_.remove(op, met_);
    take_meetings();
  }
  forget_if_done(op, &t);
}

void Node::advance(Track& t, Strand& s) {
  advancing_ = &s;
  while (Op* op = s.current) {
    if (!op->active) activate(op);
    if (op->kind == Kind::finalize || !op->may_pass()) break;
    pass(t, s, op);
  }
  advancing_ = nullptr;
}

void Node::advance(Track& t) {
  for (std::size_t i = 0; i < t.strands(); ++i) advance(t, t.strand(i));
}

void Node::drain() {
  if (draining_) return;
  draining_ = true;
  while (!frozen_ && !ready_.empty()) {
    const Rank rank = ready_.back();
    ready_.pop_back();
    advance(track(rank));
  }
  draining_ = false;
}

// Calls ----------------------------------------------------
// The queue of a message, if the call is what its process is in now and nothing but the heads of
// that queue has to be looked at; nullptr: it has to go the long way (append).
inline Messages* Node::plain_queue(const Track& t, const Caller& caller, Kind kind,
                                   const Envelope& envelope) {
  if (draining_ || frozen_ || caller.strand >= t.strands() ||
      t.strand(caller.strand).current != nullptr)
    return nullptr;
  return inbox_.plain_queue(kind, envelope);
}

// A blocking call whose partner waits for it is past as soon as it is there: nobody will ask for
// it.
Index Node::pass_at_once(Track& t, Op* partner) {
  if (t.next - t.base > t.mask) [[unlikely]]
    make_room(t);
  const Index at = t.next++;
  ++t.position;
  t.slot(at) = nullptr;
  t.skip_forgotten();
  partner->met = true;
  partner->took = at;
  fulfilled(partner);
  if (!ready_.empty()) drain();
  return at;
}

// It is active before it has its place: it meets its partner, or waits in its queue.
void Node::begin(Track& t, Op* op, Messages* queue, Op* partner) {
  op->at = t.next;
  op->active = true;
  if (partner == nullptr) return inbox_.wait_in(queue, op);
  op->met = partner->met = true;
  (op->kind == Kind::recv ? op->took : partner->took) =
      op->kind == Kind::recv ? partner->at : op->at;
  fulfilled(partner);
}

Index Node::send(Caller caller, const Send& send) {
  Track& t = track(caller.rank);
  largest_ = std::max(largest_, send.bytes);
  Messages* queue =
      local(send.envelope.dest) ? plain_queue(t, caller, Kind::send, send.envelope) : nullptr;
  Op* partner = queue != nullptr ? inbox_.take_partner(queue, Kind::send) : nullptr;
  if (partner != nullptr && send.blocks) return pass_at_once(t, partner);
  Op* op = make(caller, Kind::send, send.label, send.blocks);
  op->envelope = send.envelope;
  op->held = !send.blocks;
  op->loose = send.standard;
  op->excused = !send.synchronous || (send.standard && buffering_.mode == Buffering::Mode::limit &&
                                      send.bytes <= buffering_.bytes);
  if (queue != nullptr) begin(t, op, queue, partner);
  return append(t, op);
}

Index Node::recv(Caller caller, Label label, const Envelope& envelope, bool blocks) {
  Track& t = track(caller.rank);
  const bool wildcard = envelope.source == kAnyRank || envelope.tag == kAnyTag;
  Messages* queue = wildcard ? nullptr : plain_queue(t, caller, Kind::recv, envelope);
  Op* partner = queue != nullptr ? inbox_.take_partner(queue, Kind::recv) : nullptr;
  if (partner != nullptr && blocks) return pass_at_once(t, partner);
  Op* op = make(caller, Kind::recv, label, blocks);
  op->envelope = envelope;
  op->held = !blocks;
  op->wildcard = wildcard;
  if (queue != nullptr) begin(t, op, queue, partner);
  return append(t, op);
}

Index Node::probe(Caller caller, Label label, const Envelope& envelope) {
  Op* op = make(caller, Kind::probe, label, true);
  op->envelope = envelope;
  op->wildcard = envelope.source == kAnyRank || envelope.tag == kAnyTag;
  return append(op);
}

Index Node::collective(Caller caller, Label label, CommId comm, std::uint64_t wave, bool blocks,
                       bool loose) {
  Op* op = make(caller, Kind::collective, label, blocks);
  op->envelope.comm = comm;
  op->wave = wave;
  op->held = !blocks;
  op->loose = loose;
  op->excused = !groups_.contains(comm);
  return append(op);
}

Index Node::completion(Caller caller, Label label, std::span<const Index> parts, bool all) {
  Op* op = make(caller, Kind::completion, label, true);
  op->all = all;
  Track& t = track(caller.rank);
  if (!t.open.empty()) [[unlikely]] {
    std::vector<Index> asleep;
    for (const Index at : parts) {
      if (t.open.contains(at)) asleep.push_back(at);
    }
    if (!asleep.empty()) wake(caller.rank, std::move(asleep));
  }
  constexpr std::size_t kFew = 64;  // look each up among the others
  bool unknown = false;
  for (const Index at : parts) {
    Op* part = find(t, at);
    if (part == nullptr) {
      unknown = true;
    } else if (parts.size() > kFew ||
               std::find(op->parts.begin(), op->parts.end(), part) == op->parts.end()) {
      op->parts.push_back(part);
    }
  }
  if (parts.size() > kFew) {
    std::sort(op->parts.begin(), op->parts.end());
    op->parts.erase(std::unique(op->parts.begin(), op->parts.end()), op->parts.end());
  }
  if (unknown && !all) op->parts.clear();  // one of them is complete: so is the call
  for (Op* part : op->parts) ++part->references;
  return append(op);
}

Index Node::claim(Caller caller, Label label, const Envelope& envelope, bool blocks) {
  Op* op = make(caller, Kind::recv, label, blocks);
  op->envelope = envelope;
  op->claims = op->held = true;
  op->wildcard = envelope.source == kAnyRank || envelope.tag == kAnyTag;
  return append(op);
}

Index Node::receipt(Caller caller, Label label, Index claim) {
  Op* op = make(caller, Kind::receipt, label, false);
  op->took = claim;
  return append(op);
}

// MPI-4.1 11.10.3: no thread may call MPI any more, nor be inside it.
Index Node::finalize(Caller caller, Label label) {
  track(caller.rank).finalizing = true;
  return append(make(caller, Kind::finalize, label, true));
}

Index Node::other(Caller caller, Label label) {
  return append(make(caller, Kind::other, label, true));
}

// What becomes of them ----------------------------------------------------
void Node::returned(Rank rank, Index at) {
  Op* op = find(rank, at);
  if (op == nullptr || op->returned) return;
  op->returned = true;
  if (op->kind == Kind::other || op->lenient) return excuse(rank, at);
  forget_if_done(op);
}

void Node::excuse(Rank rank, Index at) {
  Op* op = find(rank, at);
  if (op == nullptr || op->excused) return;
  const bool was = op->fulfilled();
  op->excused = true;
  if (!was) fulfilled(op);
  drain();
}

void Node::resolve(Rank rank, Index at, Rank source, std::int32_t tag) {
  if (frozen_) return deferred_.push_back([=, this] { resolve(rank, at, source, tag); });
  Op* op = find(rank, at);
  if (op == nullptr || !op->wildcard || op->withdrawn) return;
  // A decision has come true: what the program asked for counts from now on.
  if (op->resolved) return op->undecide();
  op->resolved = true;
  op->source = source;
  op->tag = tag;
  if (op->among != nullptr) inbox_.resolve(op, met_);
  op->undecide();
  take_meetings();
  drain();
}

void Node::decide(Rank rank, Index at, Rank source, std::int32_t tag) {
  if (frozen_) return deferred_.push_back([=, this] { decide(rank, at, source, tag); });
  Op* op = find(rank, at);
  if (op == nullptr || !op->wildcard || op->decided || op->resolved) return;
  op->decided = true;
  op->asked = op->envelope;
  op->envelope.source = source;
  if (tag != kAnyTag) op->envelope.tag = tag;
  if (op->envelope.tag == kAnyTag) return;
  op->resolved = true;
  op->source = source;
  op->tag = op->envelope.tag;
  if (op->among == nullptr) return;
  inbox_.resolve(op, met_);
  take_meetings();
  drain();
}

void Node::impose(Rank rank, Index at) {
  Op* op = find(rank, at);
  if (op == nullptr) return;
  op->imposed = true;
  op->lenient = true;
}

void Node::resolve_number(Rank rank, Index at, std::int64_t sender, std::int32_t tag) {
  const Op* op = find(rank, at);
  if (op == nullptr || !op->wildcard) return;
  const auto group = groups_.find(op->envelope.comm);
  if (group == groups_.end()) return;
  const RankList& members = group->second->members;
  const bool across = group->second->inter() && members.contains(rank);
  const RankList& from = across ? group->second->others : members;
  if (sender >= 0 && static_cast<std::uint64_t>(sender) < from.size())
    resolve(rank, at, from[static_cast<std::size_t>(sender)], tag);
}

void Node::withdraw(Rank rank, Index at) {
  if (frozen_) return deferred_.push_back([=, this] { withdraw(rank, at); });
  Op* op = find(rank, at);
  if (op == nullptr || op->withdrawn) return;
  if (op->met) return give_back(op);
  op->withdrawn = true;
  // Misses: a send of another node stays there.
  if (op->active && op->kind != Kind::collective) {
    inbox_.remove(op, met_);
    take_meetings();
  }
  if (op->kind == Kind::collective) op->withdrawn = false;  // it still counts among those that came
  const bool was = op->fulfilled();
  op->excused = true;
  if (!was) {
    fulfilled(op);
  } else {
    forget_if_done(op);
  }
  drain();
}

// By the rules it has a message, but it was cancelled before that came: the message is there for
// others. Its sender has gone on; misses: that it should wait again. What was only claimed it waits
// for all the same.
void Node::give_back(Op* recv) {
  if (recv->kind != Kind::recv) return;
  recv->withdrawn = true;
  Envelope envelope = recv->envelope;
  if (recv->wildcard) {
    envelope.source = recv->source;
    envelope.tag = recv->tag;
  }
  Op* message = make_message(envelope.source, recv->took, envelope);
  message->met = !recv->claims;
  if (recv->claims) unclaim(*recv);
  inbox_.put_back(message, met_);
  take_meetings();
  drain();
}

void Node::release(Rank rank, Index at) {
  Track& t = track(rank);
  Op* op = find(t, at);
  if (op == nullptr) return;
  op->held = false;
  forget_if_done(op, &t);
}

void Node::over(Rank rank, Index at) {
  Track& t = track(rank);
  Op* op = find(t, at);
  if (op == nullptr) return;
  if (!op->returned) {
    op->returned = true;
    if (op->kind == Kind::other || op->lenient) {
      excuse(rank, at);
      return release(rank, at);  // it may be gone
    }
  }
  op->held = false;
  forget_if_done(op, &t);
}

void Node::end(Rank rank) { track(rank).ended = true; }

void Node::ignore(Rank rank) { track(rank).ignored = true; }

void Node::set_outside(Rank rank, bool may_act) {
  Track& t = track(rank);
  t.watched = true;
  t.outside = may_act;
}

void Node::polls(Rank rank, Label label, std::span<const Index> parts, bool all) {
  add_poll(rank, {label, {parts.begin(), parts.end()}, std::nullopt, all});
}

void Node::polls(Rank rank, Label label, const Envelope& envelope) {
  add_poll(rank, {label, {}, envelope, true});
}

void Node::add_poll(Rank rank, Poll poll) {
  Track& t = track(rank);
  if (std::find(t.polls.begin(), t.polls.end(), poll) != t.polls.end()) return;
  if (t.polls.size() < kPolls) {
    t.polls.push_back(std::move(poll));
  } else {
    t.polls_unknown = true;
  }
}

void Node::polls_unknown(Rank rank) { track(rank).polls_unknown = true; }

void Node::polls_no_more(Rank rank) {
  track(rank).polls.clear();
  track(rank).polls_unknown = false;
}

bool Node::relax(Rank rank) {
  if (!local(rank)) {
    tell(layout_.owner(rank), {.type = Message::Type::relax, .rank = rank});
    return true;
  }
  // Of many the latest will do: they are asked for once, at the end.
  constexpr std::size_t kRelaxed = 4096;
  Track& t = track(rank);
  std::vector<Index> relaxed;
  for_each_current(rank, [&](const Op& op) {
    if (!op.returned || op.kind == Kind::finalize) return;
    relaxed.push_back(op.at);
    if (t.relaxed.size() >= kRelaxed) t.relaxed.clear();
    if (op.kind == Kind::completion) {
      for (const Op* part : op.parts) t.relaxed.push_back(part->at);
    } else {
      t.relaxed.push_back(op.at);
    }
  });
  for (const Index at : relaxed) excuse(rank, at);
  return !relaxed.empty();
}

void Node::forgive(const Unexpected& match) {
  if (!local(match.receiver)) {
    return tell(layout_.owner(match.receiver), {.type = Message::Type::forgive,
                                                .rank = match.receiver,
                                                .at = static_cast<Index>(match.source)});
  }
  // In this order: afterwards the receive is past.
  forgive_offers(match.receiver);
  relax(match.source);
}

void Node::forgive_offers(Rank receiver) {
  // One of them may be gone when another was let go.
  std::vector<std::pair<Rank, Index>> sends;
  const Inbox::Offers offers = inbox_.offers();
  const auto look = [&](const Op& recv) {
    if (recv.met || (recv.kind != Kind::recv && recv.kind != Kind::probe)) return;
    inbox_.for_each_offer(recv.envelope, offers, [&](const Op* send) {
      if (!send->met) sends.emplace_back(send->rank, send->at);  // else it does not wait
    });
  };
  for_each_current(receiver, [&](const Op& op) {
    look(op);
    for (const Op* part : op.parts) look(*part);
  });
  for (const auto& [rank, at] : sends) {
    if (!local(rank)) {
      tell(layout_.owner(rank), {.type = Message::Type::lenient, .rank = rank, .at = at});
    } else if (Op* send = find(rank, at)) {
      be_lenient(send);
    }
  }
  drain();
}

void Node::be_lenient(Op* send) {
  if (send->met) return;  // it does not wait
  send->lenient = true;
  if (send->returned || !send->blocks) excuse(send->rank, send->at);
}

// Collectives ----------------------------------------------------
Node::Gathering* Node::find_gathering(CommId comm, std::uint64_t wave) {
  Gathering*& g = waves_[{comm, wave}];
  if (g != nullptr) return g;
  VOUCH_CHECK_SLOW(std::all_of(spare_gatherings_.begin(), spare_gatherings_.end(),
                               [](const Gathering* s) { return s->spare && s->ops.empty(); }));
  if (spare_gatherings_.empty()) {
    gatherings_.push_back(std::make_unique<Gathering>());
    g = gatherings_.back().get();
  } else {
    g = spare_gatherings_.back();
    spare_gatherings_.pop_back();
  }
  g->comm = comm;
  g->wave = wave;
  g->spare = false;
  return g;
}

const Node::Share& Node::share(CommId comm) {
  if (share_ != nullptr && shared_ == comm) return *share_;
  shared_ = comm;
  const auto found = shares_.find(comm);
  if (found != shares_.end()) return *(share_ = &found->second);
  Share s;
  const auto group = groups_.find(comm);
  if (group != groups_.end()) {
    s.total = group->second->total();
    const auto count = [&](const RankList& members) {
      for (const Rank rank : members) {
        int node = layout_.owner(rank);
        if (node == id_) ++s.here;
        bool below = false;
        while (node > id_ && !below) below = (node = layout_.parent(node)) == id_;
        if (below) ++s.below;
      }
    };
    if (layout_.nodes == 1) {
      s.here = s.total;
    } else {
      count(group->second->members);
      count(group->second->others);
    }
  }
  return *(share_ = &(shares_[comm] = s));
}

void Node::look_at(Gathering* g) {
  const Share& s = share(g->comm);
  if (g->told || g->ops.size() < s.here || g->below < s.below) return;
  g->told = true;
  if (s.here + s.below == s.total) return complete(g);
  tell(layout_.parent(id_), {.type = Message::Type::collective_ready,
                             .comm = g->comm,
                             .wave = g->wave,
                             .count = s.here + s.below});
}

void Node::complete(Gathering* g) {
  VOUCH_CHECK(!g->spare);
  if (g->below > 0) {
    for (int child = layout_.first_child(id_); child < layout_.last_child(id_); ++child)
      tell(child, {.type = Message::Type::collective_ack, .comm = g->comm, .wave = g->wave});
  }
  waves_.erase({g->comm, g->wave});
  for (Op* op : g->ops) {
    op->met = true;
    fulfilled(op);
  }
  g->ops.clear();
  g->below = 0;
  g->told = false;
  g->spare = true;
  spare_gatherings_.push_back(g);
}

}  // namespace vouch::wait
