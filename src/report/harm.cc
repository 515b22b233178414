#include "report/harm.h"

#include <array>
#include <cstddef>

namespace vouch {
namespace {

struct Row {
  Rule rule;
  Harms harms;
};

constexpr std::size_t kRules = static_cast<std::size_t>(Rule::count_);

// clang-format off
constexpr Harms o, M = Harm::meaning, m = Harm::memory, R = Harm::requests, F = Harm::failure,
                H = Harm::hang, D = Harm::damage;
constexpr Row kRows[] = {
#define VOUCH_HARM(name, harms) {Rule::name, harms},
#include "report/harms.def"
#undef VOUCH_HARM
};
// clang-format on

constexpr bool each_rule_once() {
  std::array<int, kRules> rows{};
  for (const Row& row : kRows) ++rows[static_cast<std::size_t>(row.rule)];
  for (const int n : rows) {
    if (n != 1) return false;
  }
  return true;
}
static_assert(each_rule_once(), "harms.def has one row for each rule of rules.def");

constexpr auto kHarms = [] {
  std::array<Harms, kRules> all{};
  for (const Row& row : kRows) all[static_cast<std::size_t>(row.rule)] = row.harms;
  return all;
}();

}  // namespace

Harms harms_of(Rule rule, Severity severity) {
  const Harms harms = kHarms[static_cast<std::size_t>(rule)];
  switch (severity) {
    case Severity::error:
      return harms;
    case Severity::warning:
      return harms & (Harm::memory | Harm::requests | Harm::failure);
    case Severity::info:
      break;
  }
  return {};
}

}  // namespace vouch
