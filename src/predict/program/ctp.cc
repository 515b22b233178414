#include "predict/program/ctp.h"

#include <algorithm>

namespace vouch::predict {

OpId Program::find(std::string_view name) const {
  for (OpId id = 0; id < ops.size(); ++id)
    if (ops[id].name == name) return id;
  return kNoOp;
}

std::vector<OpId> Program::all(OpKind kind) const {
  std::vector<OpId> found;
  for (OpId id = 0; id < ops.size(); ++id)
    if (ops[id].kind == kind) found.push_back(id);
  return found;
}

std::vector<std::size_t> needs(const SyncGroup& group, std::size_t member, Buffering buffering) {
  std::vector<std::size_t> found;
  const auto kind = buffering == Buffering::zero ? SyncKind::all : group.kind;
  const bool is_root = group.members[member] == group.root;
  for (std::size_t other = 0; other < group.members.size(); ++other) {
    if (other == member) continue;
    const bool needed = kind == SyncKind::all ||
                        (kind == SyncKind::from_root && group.members[other] == group.root) ||
                        (kind == SyncKind::to_root && is_root) ||
                        (kind == SyncKind::prefix && other < member) ||
                        (kind == SyncKind::listed &&
                         std::count(group.sources[member].begin(), group.sources[member].end(),
                                    group.members[other]) > 0);
    if (needed) found.push_back(other);
  }
  return found;
}

std::vector<OpId> nearest_waits(const Program& program, bool literal) {
  std::vector<OpId> nearest(program.ops.size(), kNoOp);
  for (int p = 0; p < program.processes(); ++p) {
    std::vector<OpId> pending;
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      const auto& op = program[id];
      if (op.kind == OpKind::receive) pending.push_back(id);
      if (op.kind != OpKind::wait) continue;
      for (OpId done : op.completes) {
        const auto& later = program[done];
        if (later.kind != OpKind::receive) continue;
        std::erase_if(pending, [&](OpId r) {
          if (r > done || !(r == done || literal || covers(program[r], later))) return false;
          nearest[r] = id;
          return true;
        });
      }
    }
  }
  return nearest;
}

std::vector<OpId> nearest_barriers(const Program& program, const std::vector<OpId>& nearest_waits) {
  std::vector<OpId> barrier_after(program.ops.size(), kNoOp);  // by wait
  std::vector<bool> certifies(program.ops.size());
  for (OpId wait : nearest_waits)
    if (wait != kNoOp) certifies[wait] = true;
  for (int p = 0; p < program.processes(); ++p) {
    OpId open = kNoOp;  // the last wait that certifies a receive, no barrier since
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      if (certifies[id]) open = id;
      if (program[id].kind == OpKind::sync && open != kNoOp) {
        barrier_after[open] = id;
        open = kNoOp;
      }
    }
  }
  std::vector<OpId> nearest(program.ops.size(), kNoOp);
  for (OpId r = 0; r < nearest.size(); ++r)
    if (nearest_waits[r] != kNoOp) nearest[r] = barrier_after[nearest_waits[r]];
  return nearest;
}

std::int64_t evaluate(const Program& program, ExprId id, std::span<const std::int64_t> values) {
  const auto& e = program.exprs[id];
  using Kind = Expr::Kind;
  if (e.kind == Kind::constant) return e.value;
  if (e.kind == Kind::variable) return values[e.receive];
  const std::int64_t a = evaluate(program, e.left, values);
  if (e.kind == Kind::both && a == 0) return 0;
  if (e.kind == Kind::either && a != 0) return 1;
  const std::int64_t b = e.right == kNoExpr ? 0 : evaluate(program, e.right, values);
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  switch (e.kind) {
    case Kind::add:
      return static_cast<std::int64_t>(ua + ub);
    case Kind::subtract:
      return static_cast<std::int64_t>(ua - ub);
    case Kind::multiply:
      return static_cast<std::int64_t>(ua * ub);
    case Kind::negate:
      return static_cast<std::int64_t>(-ua);
    case Kind::equal:
      return a == b;
    case Kind::unequal:
      return a != b;
    case Kind::less:
      return a < b;
    case Kind::less_equal:
      return a <= b;
    case Kind::both:
    case Kind::either:
      return b != 0;
    case Kind::no:
      return a == 0;
    case Kind::constant:
    case Kind::variable:
      break;
  }
  return 0;
}

}  // namespace vouch::predict
