#include "explore/testing/matches_before.h"

#include <algorithm>

namespace vouch::explore {

using predict::kAny;
using predict::Operation;
using predict::OpKind;
using predict::SendMode;

MatchesBefore::MatchesBefore(const Observation& run)
    : run_(run),
      taken_(run.program.ops.size(), kNoOp),
      order_(run.program.ops.size(), std::vector<bool>(run.program.ops.size())) {
  for (OpId id = 0; id < run.program.ops.size(); ++id)
    if (run.program[id].kind == OpKind::receive && run.met[id] != kNoOp) taken_[run.met[id]] = id;
  in_one_process();
  for (bool more = true; more;) {
    more = close();
    more |= between_processes();
  }
}

bool MatchesBefore::add(OpId a, OpId b) {
  if (a == b || order_[a][b]) return false;
  order_[a][b] = true;
  return true;
}

// A receive whose wait comes at once is a blocking one.
bool MatchesBefore::blocks(OpId id) const {
  const Operation& op = run_.program[id];
  switch (op.kind) {
    case OpKind::send:
      return op.blocking && op.mode == SendMode::synchronous;
    case OpKind::receive:
      return op.wait == id + 1;
    case OpKind::sync:
      return op.blocking;
    default:
      return true;
  }
}

void MatchesBefore::in_one_process() {
  const predict::Program& program = run_.program;
  const auto source = [&](OpId r) {
    return run_.met[r] == kNoOp ? -1 : program[run_.met[r]].process;
  };
  for (int p = 0; p < program.processes(); ++p) {
    for (OpId a = program.first[p]; a < program.first[p + 1]; ++a) {
      const Operation& x = program[a];
      for (OpId b = a + 1; b < program.first[p + 1]; ++b) {
        const Operation& y = program[b];
        if (blocks(a)) add(a, b);                                 // [C1]
        if (x.kind == OpKind::receive && x.wait == b) add(a, b);  // [C2]
        if (x.kind == OpKind::send && y.kind == OpKind::send && x.peer == y.peer &&
            x.tag == y.tag && x.comm == y.comm)
          add(a, b);  // [C3]
        const bool both =
            x.kind == OpKind::receive && (y.kind == OpKind::receive || y.kind == OpKind::probe);
        if (!both || x.comm != y.comm) continue;
        const int got = y.tag != kAny          ? y.tag
                        : run_.met[b] == kNoOp ? kAny
                                               : program[run_.met[b]].tag;
        if (x.tag != kAny && (got == kAny || x.tag != got)) continue;
        if (x.peer == kAny || x.peer == y.peer) add(a, b);                       // [C4]
        if (y.peer == kAny && source(b) >= 0 && x.peer == source(b)) add(a, b);  // [C4]
      }
    }
  }
}

// [C6]
bool MatchesBefore::close() {
  bool changed = false;
  const std::size_t n = order_.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; order_[a][k] && b < n; ++b)
        if (order_[k][b]) changed |= add(static_cast<OpId>(a), static_cast<OpId>(b));
  return changed;
}

// [C5]
bool MatchesBefore::between_processes() {
  bool changed = false;
  const auto n = static_cast<OpId>(order_.size());
  const auto over = [&](OpId to,
                        OpId from) {  // what is before `to` is before what is behind `from`
    for (OpId a = 0; a < n; ++a)
      for (OpId b = 0; order_[a][to] && b < n; ++b)
        if (order_[from][b]) changed |= add(a, b);
  };
  for (OpId id = 0; id < n; ++id) {
    const Operation& op = run_.program[id];
    if (op.kind == OpKind::send && taken_[id] != kNoOp) {
      const OpId r = taken_[id];
      over(id, r);
      if (op.mode != SendMode::synchronous) continue;
      for (OpId e = 0; e < n; ++e) {
        if (order_[id][e] && e != r) changed |= add(r, e);
        if (order_[r][e] && e != id) changed |= add(id, e);
      }
    } else if (op.kind == OpKind::sync) {
      const predict::SyncGroup& group = run_.program.groups[op.group];
      for (const OpId other : group.ops)
        if (other != kNoOp && other != id && group.kind == predict::SyncKind::all) over(id, other);
    }
  }
  return changed;
}

std::vector<OpId> MatchesBefore::set_of(OpId id) const {
  const Operation& op = run_.program[id];
  if (op.kind == OpKind::sync) {
    std::vector<OpId> all = run_.program.groups[op.group].ops;
    std::erase(all, kNoOp);
    return all;
  }
  const OpId partner = op.kind == OpKind::send      ? taken_[id]
                       : op.kind == OpKind::receive ? run_.met[id]
                                                    : kNoOp;
  if (partner == kNoOp) return {id};
  return op.kind == OpKind::send ? std::vector{id, partner} : std::vector{partner, id};
}

bool MatchesBefore::before_set(OpId e, OpId member) const {
  const std::vector<OpId> set = set_of(member);
  if (run_.program[set[0]].kind == OpKind::send) return before(e, set[0]);           // [C7]
  return std::all_of(set.begin(), set.end(), [&](OpId m) { return before(e, m); });  // [C8]
}

bool MatchesBefore::set_before(OpId member, OpId e) const {
  const std::vector<OpId> set = set_of(member);
  const Operation& first = run_.program[set[0]];
  if (first.kind == OpKind::send && set.size() == 2)
    return before(set[1], e) &&
           (first.mode != SendMode::synchronous || before(set[0], e));               // [C9, C10]
  return std::any_of(set.begin(), set.end(), [&](OpId m) { return before(m, e); });  // [C11]
}

bool MatchesBefore::set_before_set(OpId member, OpId other) const {
  const std::vector<OpId> set = set_of(member);
  return std::any_of(set.begin(), set.end(),
                     [&](OpId m) { return before_set(m, other); });  // [C12]
}

}  // namespace vouch::explore
