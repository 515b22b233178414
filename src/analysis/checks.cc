#include "analysis/checks.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace vouch {
namespace {

constexpr CheckInfo kChecks[] = {
#define VOUCH_ANALYSIS(type, header, name, scope, cost, off, what) \
  {name, CheckScope::scope, CheckCost::cost, WhenOff::off, what},
#include "analysis/registry.def"
#undef VOUCH_ANALYSIS
};
static_assert(std::size(kChecks) < 64);

constexpr std::string_view kScopes[] = {"rank", "pair", "job"};
constexpr std::string_view kCosts[] = {"low", "medium", "high"};
constexpr std::string_view kEvery = "all";

bool means(std::string_view word, const CheckInfo& check) {
  return word == kEvery || word == check.name || word == check.family() || word == name(check.cost);
}

// The rows that a word means, a bit for each.
std::uint64_t rows_of(std::string_view word) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < std::size(kChecks); ++i)
    if (means(word, kChecks[i])) rows |= std::uint64_t{1} << i;
  return rows;
}

}  // namespace

std::span<const CheckInfo> all_checks() { return kChecks; }
std::string_view name(CheckScope scope) { return kScopes[static_cast<std::size_t>(scope)]; }
std::string_view name(CheckCost cost) { return kCosts[static_cast<std::size_t>(cost)]; }

Result<Checks> Checks::parse(std::string_view list) {
  const std::uint64_t every = rows_of(kEvery);
  std::uint64_t on = list.starts_with('-') ? every : 0;
  for (bool more = true; more;) {
    const std::size_t comma = list.find(',');
    const std::string_view typed = list.substr(0, comma);
    const bool out = typed.starts_with('-');
    const std::uint64_t rows = rows_of(out ? typed.substr(1) : typed);
    if (rows == 0) return Error{"has no check '" + std::string(typed) + "'"};
    on = out ? on & ~rows : on | rows;
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 1);
  }
  if (on == 0) return Error{"leaves nothing to check"};
  Checks checks;
  checks.off_ = every & ~on;
  return checks;
}

const std::string& Checks::words() {
  static const std::string words = [] {
    std::vector<std::string_view> all = {kEvery};
    const auto add = [&all](std::string_view word) {
      if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
    };
    for (const std::string_view cost : kCosts)
      if (rows_of(cost) != 0) add(cost);
    for (const CheckInfo& check : kChecks) {
      add(check.family());
      add(check.name);
    }
    std::string text;
    for (const std::string_view word : all) text.append(text.empty() ? "" : " ").append(word);
    return text;
  }();
  return words;
}

std::vector<std::string_view> Checks::left_out() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::size(kChecks); ++i)
    if (!has(i)) names.push_back(kChecks[i].name);
  return names;
}

std::string Checks::text() const {
  std::string text(kEvery);
  for (const std::string_view name : left_out()) text.append(",-").append(name);
  return text;
}

}  // namespace vouch
