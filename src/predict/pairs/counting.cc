#include "predict/pairs/counting.h"

#include <algorithm>

#include "base/hash.h"

namespace vouch::predict {

std::size_t CountingMachine::KindHash::operator()(const KindKey& key) const {
  std::uint64_t hash = 0;
  for (int part : {key.dest, key.comm, key.source, key.tag})
    hash = scatter(hash + static_cast<std::uint64_t>(part) + 1);
  return hash;
}

CountingMachine::Kind CountingMachine::kind(int dest, int comm, int source, int tag) {
  const auto [at, is_new] =
      kind_ids_.try_emplace({dest, comm, source, tag}, static_cast<Kind>(sent_.size()));
  if (is_new) {
    sent_.push_back(0);
    received_.push_back(0);
  }
  return at->second;
}

CountingMachine::CountingMachine(const Program& program)
    : program_(&program),
      kinds_(program.ops.size()),
      queue_(program.ops.size()),
      popped_(program.ops.size()),
      at_(program.first.begin(), program.first.end() - 1),
      inside_(at_.size()),
      stopped_(at_.size(), kNoOp),
      suspended_(program.ops.size()) {
  const auto nearest = nearest_waits(program);
  for (OpId id = 0; id < program.ops.size(); ++id) {
    const auto& op = program[id];
    const bool is_send = op.kind == OpKind::send;
    if (!is_send && op.kind != OpKind::receive && op.kind != OpKind::probe) continue;
    const int dest = is_send ? op.peer : op.process;
    const int source = is_send ? op.process : op.peer;
    // From the narrowest kind to the widest, each once.
    auto& mine = kinds_[id];
    for (int wide_source : {source, kAny})
      for (int wide_tag : {op.tag, kAny}) {
        const Kind one = kind(dest, op.comm, wide_source, wide_tag);
        if (std::find(mine.begin(), mine.end(), one) == mine.end()) mine.push_back(one);
      }
    if (op.kind == OpKind::receive && nearest[id] != kNoOp) queue_[nearest[id]].push_back(id);
  }
}

bool CountingMachine::may_receive(OpId id) const {
  return std::all_of(kinds_[id].begin(), kinds_[id].end(),
                     [&](Kind one) { return received_[one] < sent_[one]; });
}

bool CountingMachine::entered(OpId sync) const {
  if (sync == kNoOp) return false;
  const int p = program_->ops[sync].process;
  return sync < at_[p] || (sync == at_[p] && inside_[p]);
}

bool CountingMachine::all_needed_entered(OpId sync) const {
  const auto& op = program_->ops[sync];
  const auto& group = program_->groups[op.group];
  const auto me = std::find(group.members.begin(), group.members.end(), op.process);
  const auto needed = needs(group, me - group.members.begin(), Buffering::infinite);
  return std::all_of(needed.begin(), needed.end(),
                     [&](std::size_t other) { return entered(group.ops[other]); });
}

// Takes from the queue of a wait what it can; true when nothing holds the process there.
bool CountingMachine::pass_wait(const Operation& op, OpId id) {
  auto& done = popped_[id];
  for (; done < queue_[id].size(); ++done) {
    const OpId receive = queue_[id][done];
    if (suspended_[receive]) {
      stopped_[op.process] = receive;
      return false;
    }
    if (!may_receive(receive)) return false;
    for (Kind one : kinds_[receive]) ++received_[one];
  }
  return std::all_of(op.completes.begin(), op.completes.end(), [&](OpId completed) {
    return program_->ops[completed].kind != OpKind::sync || all_needed_entered(completed);
  });
}

bool CountingMachine::step(int process) {
  const OpId id = at_[process];
  const auto& op = program_->ops[id];
  stopped_[process] = kNoOp;
  switch (op.kind) {
    case OpKind::send:
      for (Kind one : kinds_[id]) ++sent_[one];
      break;
    case OpKind::wait: {
      const auto before = popped_[id];
      if (!pass_wait(op, id)) return popped_[id] != before;
      break;
    }
    case OpKind::probe:
      if (suspended_[id]) {
        stopped_[process] = id;
        return false;
      }
      if (!may_receive(id)) return false;
      break;
    case OpKind::sync: {
      if (!op.blocking) break;
      const bool is_new = !inside_[process];
      inside_[process] = true;
      if (!all_needed_entered(id)) return is_new;
      inside_[process] = false;
      break;
    }
    case OpKind::receive:
    case OpKind::assume:
    case OpKind::assertion:
      break;
  }
  ++at_[process];
  return true;
}

void CountingMachine::run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (int p = 0; p < program_->processes(); ++p)
      while (!finished(p) && step(p)) moved = true;
  }
}

bool CountingMachine::finished() const {
  for (int p = 0; p < program_->processes(); ++p)
    if (!finished(p)) return false;
  return true;
}

std::size_t CountingMachine::sent(int dest, int source, int tag, int comm) const {
  const auto at = kind_ids_.find({dest, comm, source, tag});
  return at == kind_ids_.end() ? 0 : sent_[at->second];
}

std::size_t CountingMachine::received(int dest, int source, int tag, int comm) const {
  const auto at = kind_ids_.find({dest, comm, source, tag});
  return at == kind_ids_.end() ? 0 : received_[at->second];
}

bool always_deadlocks(const Program& program) {
  CountingMachine machine(program);
  machine.run();
  return !machine.finished();
}

}  // namespace vouch::predict
