// How sends come to rest in the mailroom, and wake.
//
// A send may rest once it is decided: nobody outside holds it any more. The first of a queue stays
// as it is, since it is looked at whenever a receive comes.

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "match/mailroom.h"

namespace vouch {

// What would not fit into a RestingSend is rare, or waits for its receive itself.
bool Mailroom::may_rest(const Operation& op) {
  return op.role == Role::send && op.decided_ && op.batch_ == nullptr &&
         op.mode != SendMode::synchronous && op.partitions == 0 && !op.cancel_asked && !op.in &&
         op.count >= 0 && op.count <= std::numeric_limits<std::uint32_t>::max();
}

// The operation itself may then be used for something else.
RestingSend Mailroom::lay_down(Operation* op) {
  RestingSend send;
  send.position = op->position_;
  send.when = std::move(op->when);
  send.seq = op->seq;
  send.count = static_cast<std::uint32_t>(op->count);
  send.kind = kinds_.hold(*op);
  ++resting_;
  ++waiting_;
  return send;
}

void Mailroom::rest(MessageQueue* q, Operation* op) {
  Operation* before = op->prev_;
  Operation* behind = op->next_;
  if (before->batch_ != nullptr && !before->batch_->full()) {
    before->batch_->append(lay_down(op));
  } else if (behind != nullptr && behind->batch_ != nullptr && behind->batch_->has_room_before()) {
    behind->position_ = op->position_;
    behind->batch_->prepend(lay_down(op));
  } else {
    // A batch of few takes more than it saves.
    Operation* first = op;
    std::size_t neighbours = 1;
    while (neighbours < limits_.fewest && first->prev_ != nullptr && may_rest(*first->prev_)) {
      first = first->prev_;
      ++neighbours;
    }
    if (neighbours < limits_.fewest) return;
    Operation* node = fresh();
    node->process = op->process;
    node->channel = op->channel;
    node->me = op->me;
    node->peer = op->peer;
    node->tag = op->tag;
    node->port_ = op->port_;
    node->queue_ = q;
    node->decided_ = true;
    node->position_ = first->position_;
    node->batch_ = batches_.take();
    q->sends.replace(first, node);
    for (Operation* next = first;; next = node->next_) {
      const bool last = next == op;
      if (next != first) q->sends.remove(next);
      node->batch_->append(lay_down(next));
      operations_.give_back(next);
      if (last) break;
    }
    if (resting_ > limits_.most) forget_oldest();
    return;
  }
  q->sends.remove(op);
  operations_.give_back(op);
  if (resting_ > limits_.most) forget_oldest();
}

void Mailroom::wake(const Operation& batch, const RestingSend& send, bool forgotten,
                    Operation& op) {
  op.role = Role::send;
  op.process = batch.process;
  op.channel = batch.channel;
  op.me = batch.me;
  op.peer = batch.peer;
  op.tag = batch.tag;
  op.port_ = batch.port_;
  op.queue_ = batch.queue_;
  op.decided_ = true;
  op.position_ = send.position;
  op.seq = send.seq;
  op.count = send.count;
  op.when = forgotten ? clocks_.unknown() : send.when;
  kinds_.fill(op, send.kind);
}

// The first of the queue's sends stands in a batch.
Operation* Mailroom::wake_first(MessageQueue* q) {
  Operation* node = q->sends.head;
  Batch& batch = *node->batch_;
  const Batch::Taken taken = batch.take_first(kinds_);
  Operation* op = fresh();
  wake(*node, taken.send, taken.forgotten, *op);
  kinds_.let_go(taken.send.kind);
  VOUCH_CHECK(waiting_ > 0 && (taken.forgotten || resting_ > 0));
  resting_ -= !taken.forgotten;
  --waiting_;
  if (batch.empty()) {
    q->sends.replace(node, op);
    batches_.give_back(&batch);
    operations_.give_back(node);
  } else {
    node->position_ = batch.position();
    q->sends.insert(op);
  }
  return op;
}

// An eighth of them at once, so that it costs little for each.
void Mailroom::forget_oldest() {
  std::vector<Operation*> nodes;
  by_key_.for_each([&](const QueueKey&, const MessageQueue* q) {
    for (Operation* op = q->sends.head; op != nullptr; op = op->next_) {
      if (op->batch_ != nullptr && op->batch_->resting() > 0) nodes.push_back(op);
    }
  });
  std::sort(nodes.begin(), nodes.end(),
            [](const Operation* a, const Operation* b) { return a->position_ < b->position_; });
  std::uint64_t forgotten = 0;
  for (Operation* node : nodes) {
    if (forgotten > limits_.most / 8) break;
    if (forgotten_at_.value == 0) forgotten_at_ = kinds_.site(node->batch_->kind());
    const std::size_t number = node->batch_->forget(kinds_);
    VOUCH_CHECK(number <= resting_);
    forgotten += number;
    resting_ -= number;
    Operation* before = node->prev_;
    if (before == nullptr || before->batch_ == nullptr || before->batch_->resting() > 0) continue;
    node->batch_->take_over(*before->batch_, kinds_);
    node->position_ = before->position_;
    node->queue_->sends.remove(before);
    batches_.give_back(before->batch_);
    operations_.give_back(before);
  }
  forgotten_ += forgotten;
}

}  // namespace vouch
