// Several nodes: messages, and the state in which nothing is under way.

#include <utility>

#include "base/check.h"
#include "wait/node.h"

namespace vouch::wait {

using Type = Message::Type;

void Node::tell(int node, Message message) {
  ++sent_;
  network_->send(node, std::move(message));
}

void Node::receive(int from, Message message) {
  (message.matching() ? matching_ : urgent_).push_back({from, std::move(message)});
}

bool Node::work() {
  std::deque<Received>& queue = urgent_.empty() ? matching_ : urgent_;
  if (queue.empty()) return false;
  const Received next = std::move(queue.front());
  queue.pop_front();
  handle(next.from, next.message);
  drain();
  return true;
}

void Node::handle(int from, const Message& m) {
  switch (m.type) {
    case Type::pass_send: {
      Op* message = make_message(m.rank, m.at, m.envelope);
      inbox_.add(message, met_);
      if (!met_.empty()) return take_meetings();
      if (ops_.live() > limits_.busy) rest(message);
      return;
    }
    case Type::recv_active:
      return was_received(m.rank, m.at);
    case Type::collective_ready: {
      Gathering* g = gathering(m.comm, m.wave);
      g->below += m.count;
      return look_at(g);
    }
    case Type::collective_ack:
      // A child without members in this one has nothing to let go.
      if (Gathering** g = waves_.find({m.comm, m.wave})) complete(*g);
      return;
    case Type::request_state:
      return stand_still();
    case Type::ping:
      // Only who stands still has answered all: what it lets go on later could be under way again.
      if (!frozen_) return pings_.push_back(from);
      return tell(from, {.type = Type::pong});
    case Type::pong:
      if (pongs_ == 0) return;  // nobody was asked
      --pongs_;
      return ack_if_quiet();
    case Type::ack_state:
      if (acks_ == 0) return;
      --acks_;
      return ack_if_quiet();
    case Type::request_waits:
      return gather_waits(View::of_bits(m.count));
    case Type::waits:
      if (answers_ == 0) return;
      --answers_;
      gathered_.merge(*m.snapshot);
      return waits_if_complete();
    case Type::relax:
      relax(m.rank);
      return;
    case Type::forgive:
      return forgive({m.rank, static_cast<Rank>(m.at)});
    case Type::lenient:
      if (Op* op = find(m.rank, m.at)) be_lenient(op);
      return;
  }
}

void Node::request_snapshot(View view) {
  VOUCH_CHECK(id_ == 0);
  if (layout_.nodes == 1) {
    result_ = describe(view);
    return;
  }
  if (frozen_ || !acked_) return;  // one is under way
  view_ = view;
  stand_still();
}

// Sends that are on their way arrive before our ping; the answers to them before its pong. What
// goes along the tree is pushed by the acknowledgements up and the requests down.
void Node::stand_still() {
  frozen_ = true;
  acked_ = false;
  for (const int node : std::exchange(pings_, {})) tell(node, {.type = Type::pong});
  for (int child = layout_.first_child(id_); child < layout_.last_child(id_); ++child) {
    tell(child, {.type = Type::request_state});
    ++acks_;
  }
  for (const int node : touched_) {
    tell(node, {.type = Type::ping});
    ++pongs_;
  }
  ack_if_quiet();
}

void Node::ack_if_quiet() {
  if (acked_ || !frozen_ || pongs_ > 0 || acks_ > 0) return;
  acked_ = true;
  if (id_ == 0) return gather_waits(view_);
  tell(layout_.parent(id_), {.type = Type::ack_state});
}

void Node::gather_waits(View view) {
  gathered_ = describe(view);
  for (int child = layout_.first_child(id_); child < layout_.last_child(id_); ++child) {
    tell(child, {.type = Type::request_waits, .count = view.bits()});
    ++answers_;
  }
  frozen_ = false;
  for (const auto& later : std::exchange(deferred_, {})) later();
  drain();
  waits_if_complete();
}

void Node::waits_if_complete() {
  if (answers_ > 0) return;
  if (id_ == 0) {
    result_ = std::exchange(gathered_, {});
  } else {
    tell(layout_.parent(id_),
         {.type = Type::waits,
          .snapshot = std::make_shared<Snapshot>(std::exchange(gathered_, {}))});
  }
}

}  // namespace vouch::wait
