// How messages come to rest, and wake.

#include "base/check.h"
#include "wait/node.h"

namespace vouch::wait {

bool Inbox::may_rest(const Op& op) {
  if (op.kind != Kind::send || op.batch != nullptr || op.queue == nullptr) return false;
  if (op.promised || op.vague || op.withdrawn || op.held || op.references > 0) return false;
  // A blocking call that has not returned may still fail.
  return op.active && op.passed && (op.returned || !op.blocks) && op.rank == op.envelope.source;
}

Op* Inbox::make_batch(Messages* q, Op* first) {
  Op* node = ops_.take();
  node->renew();
  node->kind = Kind::send;
  node->rank = first->rank;
  node->at = first->at;
  node->envelope = first->envelope;
  node->queue = q;
  node->batch = batches_.take();
  node->batch->number = ++batch_numbers_;
  q->sends.replace(first, node);
  return node;
}

void Inbox::wake(Op& op, const Op& batch, const RestingMessage& m) {
  op.kind = Kind::send;
  op.active = op.passed = op.remote = true;
  op.met = m.met;
  op.rank = batch.rank;
  op.at = m.at;
  op.label = m.label();
  op.envelope = batch.envelope;
  op.queue = batch.queue;
}

// The first message of the batch stands before it.
Op* Inbox::wake_first(Messages* q, Op* node) {
  Batch& batch = *node->batch;
  Op* op = ops_.take();
  op->renew();
  if (batch.forgotten > 0) {
    RestingMessage m;
    m.at = node->at;
    m.met = true;
    wake(*op, *node, m);
    op->vague = true;
    --batch.forgotten;
    --forgotten_;
  } else {
    wake(*op, *node, batch.messages[batch.first++]);
    --resting_;
  }
  if (batch.empty()) {
    q->sends.replace(node, op);
    batches_.give_back(&batch);
    ops_.give_back(node);
    return op;
  }
  q->sends.insert_behind(node->prev, op);
  if (batch.forgotten == 0) node->at = batch.messages[batch.first].at;
  return op;
}

// Nobody asks for it but by its index.
void Node::lay_down(Op& op) {
  if (op.remote) return;
  track(op.rank).open.insert(op.at);
  take_out(op);
}

void Node::rest(Op* op) {
  if (Inbox::may_rest(*op)) {
    inbox_.rest(op, limits_, [this](Op& send) { lay_down(send); });
    if (inbox_.resting() > limits_.most) forget_oldest();
  } else if (op->queue == nullptr && op->active && !op->remote && !local(op->envelope.dest) &&
             (op->returned || !op->blocks)) {
    // The node of its receiver has it, and tells when it is received.
    lay_down(*op);
    ops_.give_back(op);
  }
}

// An eighth of them at once, so that it costs little for each. Whoever waits for them all the same
// need not.
void Node::forget_oldest() {
  const std::uint64_t before = inbox_.resting();
  inbox_.forget(limits_.most / 8 + 1, [this](Rank rank, const RestingMessage& m) {
    if (!m.met) was_received(rank, m.at);
  });
  forgotten_ += before - inbox_.resting();
}

// A message of ours that nobody stands for here, or one of another node's.
void Node::was_received(Rank rank, Index at) {
  if (!local(rank))
    return tell(layout_.owner(rank), {.type = Message::Type::recv_active, .rank = rank, .at = at});
  Track& t = track(rank);
  if (t.open.erase(at)) {
    VOUCH_CHECK(t.kept > 0);
    --t.kept;
    return;
  }
  Op* send = find(t, at);
  if (send == nullptr) return;
  const bool was = send->fulfilled();
  send->met = true;
  send->claimed = false;
  was ? forget_if_done(send) : fulfilled(send);
}

// Operations again, as far as they rest: somebody waits for them.
void Node::wake(Rank rank, std::vector<Index> these) {
  std::sort(these.begin(), these.end());
  Track& t = track(rank);
  inbox_.wake(rank, these, [&](Op& op) {
    if (op.met || !t.open.erase(op.at)) return;
    op.remote = false;
    op.returned = true;
    t.old[op.at] = &op;
  });
}

}  // namespace vouch::wait
