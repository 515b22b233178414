#include "predict/program/expression.h"

#include <cctype>

#include <fmt/format.h>

namespace vouch::predict {

void ExpressionReader::skip_space() {
  while (at_ < end_ && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool ExpressionReader::take(std::string_view sign) {
  skip_space();
  if (text_.substr(at_, std::min(sign.size(), end_ - at_)) != sign) return false;
  at_ += sign.size();
  return true;
}

ExprId ExpressionReader::either() {
  auto left = both();
  while (take("||")) left = builder_.make(Expr::Kind::either, left, both());
  return left;
}

ExprId ExpressionReader::both() {
  auto left = comparison();
  while (take("&&")) left = builder_.make(Expr::Kind::both, left, comparison());
  return left;
}

ExprId ExpressionReader::comparison() {
  const auto left = sum();
  const auto with = [&](Expr::Kind kind) { return builder_.make(kind, left, sum()); };
  const auto swapped = [&](Expr::Kind kind) {
    const auto right = sum();
    return builder_.make(kind, right, left);
  };
  if (take("==")) return with(Expr::Kind::equal);
  if (take("!=")) return with(Expr::Kind::unequal);
  if (take("<=")) return with(Expr::Kind::less_equal);
  if (take(">=")) return swapped(Expr::Kind::less_equal);
  if (take("<")) return with(Expr::Kind::less);
  if (take(">")) return swapped(Expr::Kind::less);
  if (take("=")) return with(Expr::Kind::equal);
  return left;
}

ExprId ExpressionReader::sum() {
  auto left = product();
  for (;;) {
    if (take("+"))
      left = builder_.make(Expr::Kind::add, left, product());
    else if (take("-"))
      left = builder_.make(Expr::Kind::subtract, left, product());
    else
      return left;
  }
}

ExprId ExpressionReader::product() {
  auto left = unary();
  while (take("*")) left = builder_.make(Expr::Kind::multiply, left, unary());
  return left;
}

ExprId ExpressionReader::unary() {
  if (++nesting_ > kMaxNesting) throw Wrong{at_, "too deep"};
  const auto expr = unary_inside();
  --nesting_;
  return expr;
}

ExprId ExpressionReader::unary_inside() {
  skip_space();
  if (take("!")) return builder_.make(Expr::Kind::no, unary());
  if (take("-")) return builder_.make(Expr::Kind::negate, unary());
  if (take("(")) {
    const auto inside = either();
    if (!take(")")) throw Wrong{at_, ") is missing"};
    return inside;
  }
  const auto from = at_;
  while (at_ < end_ && is_name(peek())) ++at_;
  const auto word = text_.substr(from, at_ - from);
  if (const auto value = to_number(word)) return builder_.constant(*value);
  if (const auto variable = variable_(word)) return *variable;
  throw Wrong{from, word.empty() ? std::string("a value is missing")
                                 : fmt::format("'{}' is no variable of this process", word)};
}

Result<ExprId> parse_condition(Builder& builder, std::string_view text,
                               ExpressionReader::Variable variable) {
  try {
    ExpressionReader reader(builder, text, 0, text.size(), std::move(variable));
    const ExprId read = reader.condition();
    const auto rest = text.find_first_not_of(" \t\n", reader.at());
    if (rest == std::string_view::npos) return read;
    return Error{fmt::format("'{}' is not understood", text.substr(rest))};
  } catch (const Wrong& wrong) {
    return Error{wrong.text};
  }
}

}  // namespace vouch::predict
