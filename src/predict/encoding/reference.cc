#include "predict/encoding/reference.h"

#include <map>

#include <fmt/format.h>

#include "predict/encoding/solver.h"

namespace vouch::predict {

Reference::Reference(z3::context& context, const Program& program, EncodingKind kind,
                     const MatchPairs& pairs)
    : Terms(context, program), kind_(kind), waits_(nearest_waits(program, true)) {
  add_pairs(pairs);
  add_sends();
  add_receives();
  if (kind != EncodingKind::e1) {
    add_waits();
    add_barriers();
  }
}

z3::expr Reference::time(OpId op) const {
  const auto& o = program_[op];
  const auto& name = o.kind == OpKind::sync ? program_.groups[o.group].name : o.name;
  return context_.int_const(("time." + name).c_str());
}

z3::expr Reference::partner(OpId op) const {
  return context_.int_const(("match." + program_[op].name).c_str());
}

z3::expr Reference::takes(Match match) const {
  return context_.bool_const(
      fmt::format("pair.{}.{}", program_[match.receive].name, program_[match.send].name).c_str());
}

// 3.6: each receive one of its pairs.
void Reference::add_pairs(const MatchPairs& pairs) {
  for (OpId r : program_.all(OpKind::receive)) {
    z3::expr_vector one_of(context_);
    for (OpId s : pairs.sends_of(r)) {
      auto pair = partner(r) == time(s) && partner(s) == time(r);
      if (program_[s].expr != kNoExpr) pair = pair && value_of(r) == number(program_[s].expr);
      pair = kind_ == EncodingKind::e3 ? pair && time(s) == time(r) - 1
                                       : pair && time(s) < time(waits_[r]);
      constraints_.push_back(z3::implies(takes({r, s}), pair));
      one_of.push_back(takes({r, s}));
    }
    constraints_.push_back(one_of.empty() ? context_.bool_val(false) : z3::mk_or(one_of));
  }
}

// 3.1 and 3.5: sends of a channel are issued and received in order. 3.1*: all sends of a process.
void Reference::add_sends() {
  for (int p = 0; p < program_.processes(); ++p) {
    std::map<int, OpId> last_to;
    OpId last = kNoOp;
    for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) {
      const auto& op = program_[id];
      if (op.kind == OpKind::send) {
        const auto known = last_to.find(op.peer);
        if (known != last_to.end()) {
          if (kind_ != EncodingKind::e3) before(known->second, id);
          constraints_.push_back(partner(known->second) < partner(id));
        }
        if (kind_ == EncodingKind::e3 && last != kNoOp) before(last, id);
        last_to[op.peer] = last = id;
      }
      // 3.11, 3.12: with zero buffering what follows the send comes after it.
      if (kind_ == EncodingKind::e3 && last != kNoOp &&
          (op.kind == OpKind::receive || op.kind == OpKind::sync))
        before(last, id);
    }
  }
}

// 3.2, 3.3: receives of a process in order, each before its nearest-enclosing wait.
void Reference::add_receives() {
  OpId last = kNoOp;
  for (OpId r : program_.all(OpKind::receive)) {
    if (last != kNoOp && program_.before(last, r)) before(last, r);
    before(r, waits_[r]);
    last = r;
  }
}

// 3.4: what follows a nearest-enclosing wait comes after it.
void Reference::add_waits() {
  std::vector<bool> certifies(program_.ops.size());
  for (OpId wait : waits_)
    if (wait != kNoOp) certifies[wait] = true;
  for (int p = 0; p < program_.processes(); ++p) {
    OpId wait = kNoOp;
    for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) {
      const auto kind = program_[id].kind;
      const bool timed = kind == OpKind::send || kind == OpKind::receive || certifies[id];
      if (wait != kNoOp && timed) before(wait, id);
      if (certifies[id]) wait = id;
    }
  }
}

// 3.9, 3.10: the last wait before a barrier, then the barrier, then all that follows.
void Reference::add_barriers() {
  const auto barriers = nearest_barriers(program_, waits_);
  for (OpId r : program_.all(OpKind::receive))
    if (barriers[r] != kNoOp) before(waits_[r], barriers[r]);
  for (int p = 0; p < program_.processes(); ++p) {
    OpId barrier = kNoOp;
    for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) {
      const auto kind = program_[id].kind;
      if (barrier != kNoOp && kind != OpKind::assume && kind != OpKind::assertion)
        before(barrier, id);
      if (kind == OpKind::sync) barrier = id;
    }
  }
}

z3::expr Reference::value_of(OpId receive) {
  return context_.int_const((kValuePrefix + program_[receive].name).c_str());
}

// 3.7, 3.8.
std::vector<z3::expr> Reference::conditions(bool violated, bool assertions) {
  std::vector<z3::expr> wanted;
  z3::expr_vector all(context_);
  for (const auto& op : program_.ops) {
    if (op.kind == OpKind::assume) wanted.push_back(truth(op.expr));
    if (op.kind == OpKind::assertion) all.push_back(truth(op.expr));
  }
  if (!assertions) return wanted;
  const auto hold = all.empty() ? context_.bool_val(true) : z3::mk_and(all);
  wanted.push_back(violated ? !hold : hold);
  return wanted;
}

}  // namespace vouch::predict
