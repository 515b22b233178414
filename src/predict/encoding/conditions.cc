#include "predict/encoding/conditions.h"

#include <algorithm>

namespace vouch::predict {

using Kind = Expr::Kind;

bool has(const Program& program, OpKind kind) {
  return std::any_of(program.ops.begin(), program.ops.end(),
                     [&](const Operation& op) { return op.kind == kind; });
}

Conditions::Conditions(z3::context& context, const Program& program, const Encoding& encoding)
    : Terms(context, program), encoding_(encoding) {}

z3::expr Conditions::assumptions() { return all(OpKind::assume); }
z3::expr Conditions::assertions() { return all(OpKind::assertion); }

z3::expr Conditions::all(OpKind kind) {
  z3::expr_vector every(context_);
  for (const auto& op : program_.ops)
    if (op.kind == kind) every.push_back(truth(op.expr));
  return every.empty() ? context_.bool_val(true) : z3::mk_and(every);
}

bool Conditions::reads(ExprId id, std::vector<OpId>& receives) const {
  if (id == kNoExpr) return true;
  const auto& e = program_.exprs[id];
  if (e.kind == Kind::variable &&
      std::find(receives.begin(), receives.end(), e.receive) == receives.end())
    receives.push_back(e.receive);
  if (receives.size() > 1) return false;
  return reads(e.left, receives) && reads(e.right, receives);
}

bool Conditions::all_constant(OpId receive) const {
  const auto sends = encoding_.candidates().sends_of(receive);
  return std::all_of(sends.begin(), sends.end(), [&](OpId s) {
    const ExprId value = program_[s].expr;
    return value != kNoExpr && program_.exprs[value].kind == Kind::constant;
  });
}

std::optional<z3::expr> Conditions::shortcut(ExprId id) {
  std::vector<OpId> receives;
  if (!reads(id, receives) || receives.size() != 1 || !all_constant(receives[0]))
    return std::nullopt;
  const OpId r = receives[0];
  std::vector<std::int64_t> values(program_.ops.size());
  z3::expr_vector good(context_);
  for (OpId s : encoding_.candidates().sends_of(r)) {
    values[r] = program_.exprs[program_[s].expr].value;
    if (evaluate(program_, id, values) != 0) good.push_back(encoding_.takes({r, s}));
  }
  return good.empty() ? context_.bool_val(false) : z3::mk_or(good);
}

z3::expr Conditions::value_of(OpId receive) {
  const auto known = values_.find(receive);
  if (known != values_.end()) return known->second;
  const auto value = context_.int_const(("value." + program_[receive].name).c_str());
  values_.emplace(receive, value);
  for (OpId s : encoding_.candidates().sends_of(receive)) {
    if (program_[s].expr == kNoExpr) {
      unknown_value_ = true;
      continue;
    }
    constraints_.push_back(
        z3::implies(encoding_.takes({receive, s}), value == number(program_[s].expr)));
  }
  return value;
}

}  // namespace vouch::predict
