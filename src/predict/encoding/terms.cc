#include "predict/encoding/terms.h"

namespace vouch::predict {

using Kind = Expr::Kind;

z3::expr Terms::truth(ExprId id) {
  const auto& e = program_.exprs[id];
  if (e.kind == Kind::both) return truth(e.left) && truth(e.right);
  if (e.kind == Kind::either) return truth(e.left) || truth(e.right);
  if (e.kind == Kind::no) return !truth(e.left);
  if (auto known = shortcut(id)) return *known;
  switch (e.kind) {
    case Kind::equal:
      return number(e.left) == number(e.right);
    case Kind::unequal:
      return number(e.left) != number(e.right);
    case Kind::less:
      return number(e.left) < number(e.right);
    case Kind::less_equal:
      return number(e.left) <= number(e.right);
    default:
      return number(id) != 0;
  }
}

z3::expr Terms::number(ExprId id) {
  const auto& e = program_.exprs[id];
  switch (e.kind) {
    case Kind::constant:
      return context_.int_val(e.value);
    case Kind::variable:
      return value_of(e.receive);
    case Kind::add:
      return number(e.left) + number(e.right);
    case Kind::subtract:
      return number(e.left) - number(e.right);
    case Kind::multiply:
      return number(e.left) * number(e.right);
    case Kind::negate:
      return -number(e.left);
    default:
      return z3::ite(truth(id), context_.int_val(1), context_.int_val(0));
  }
}

}  // namespace vouch::predict
