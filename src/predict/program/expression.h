// Conditions and values as text: a + 2 * b == 4 && !(c < a).

#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "predict/program/ctp.h"
#include "predict/program/text_source.h"

namespace vouch::predict {

class ExpressionReader {
 public:
  // What a name stands for; nothing: it is no variable.
  using Variable = std::function<std::optional<ExprId>(std::string_view name)>;

  ExpressionReader(Builder& builder, std::string_view text, std::size_t at, std::size_t end,
                   Variable variable)
      : builder_(builder), text_(text), at_(at), end_(end), variable_(std::move(variable)) {}

  // These throw Wrong.
  ExprId condition() { return either(); }
  ExprId operand() { return unary(); }
  std::size_t at() const { return at_; }  // behind what was read

 private:
  char peek() const { return at_ < end_ ? text_[at_] : '\0'; }
  void skip_space();
  bool take(std::string_view sign);
  ExprId either();
  ExprId both();
  ExprId comparison();
  ExprId sum();
  ExprId product();
  ExprId unary();
  ExprId unary_inside();

  Builder& builder_;
  std::string_view text_;
  std::size_t at_, end_;
  Variable variable_;
  int nesting_ = 0;
};

// The whole text is one condition.
Result<ExprId> parse_condition(Builder&, std::string_view text, ExpressionReader::Variable);

}  // namespace vouch::predict
