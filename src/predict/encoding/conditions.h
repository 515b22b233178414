// Values, assumptions and assertions of a trace program as constraints [S8].
//
// Only the values that a condition depends on get variables. A comparison that reads one receive
// whose candidates all send constants needs none: it is a choice among the pairs.

#pragma once

#include <z3++.h>

#include <unordered_map>
#include <vector>

#include "predict/encoding/encoding.h"
#include "predict/encoding/terms.h"

namespace vouch::predict {

class Conditions : public Terms {
 public:
  Conditions(z3::context&, const Program&, const Encoding&);

  z3::expr assumptions();  // all hold
  z3::expr assertions();   // all hold
  // What makes the values what they are; complete after the two above were asked.
  const std::vector<z3::expr>& constraints() const { return constraints_; }
  // A message without a known value can reach a condition: its answer means nothing.
  bool unknown_value() const { return unknown_value_; }

 private:
  z3::expr all(OpKind);
  z3::expr value_of(OpId receive) override;
  std::optional<z3::expr> shortcut(ExprId) override;
  // The one receive that the expression reads, kNoOp: none or several.
  bool reads(ExprId, std::vector<OpId>& receives) const;
  bool all_constant(OpId receive) const;

  const Encoding& encoding_;
  std::unordered_map<OpId, z3::expr> values_;
  std::vector<z3::expr> constraints_;
  bool unknown_value_ = false;
};

// The program has conditions of this kind.
bool has(const Program&, OpKind);

}  // namespace vouch::predict
