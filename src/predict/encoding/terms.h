// Conditions and values of a trace program as terms of the solver. What the value of a receive is,
// is up to the encoding.

#pragma once

#include <z3++.h>

#include <optional>

#include "predict/program/ctp.h"

namespace vouch::predict {

class Terms {
 public:
  Terms(z3::context& context, const Program& program) : context_(context), program_(program) {}
  virtual ~Terms() = default;

  z3::expr truth(ExprId);
  z3::expr number(ExprId);

 protected:
  virtual z3::expr value_of(OpId receive) = 0;
  // A shorter way to say what is neither and, or, nor not.
  virtual std::optional<z3::expr> shortcut(ExprId) { return std::nullopt; }

  z3::context& context_;
  const Program& program_;
};

}  // namespace vouch::predict
