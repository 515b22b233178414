#include "analysis/assertion/assertion.h"

#include <algorithm>

#include <fmt/format.h>

#include "event/claim.h"

namespace vouch {

void Assertion::on_claim(Process& process, const Event& meta) {
  const Claim claim = claim_of(meta);
  if (claim.holds) return;
  const Site site = process.site(claim.site);
  // What is assumed is no promise: then this run is not one that the program speaks of.
  if (claim.kind == wire::ClaimKind::assume) {
    sink_.not_checked({.what = fmt::format("VOUCH_ASSUME({})", claim.condition),
                       .reason = "does not hold in this run",
                       .count = 1,
                       .site = site});
    return;
  }
  std::string values;
  const auto names = names_of(claim);
  for (std::size_t i = 0; i < claim.terms.size(); ++i) {
    const Term& term = claim.terms[i];
    if (!term.exact() || std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                                   names[i]) != names.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    values += fmt::format("{}{} is {}", values.empty() ? ": " : ", ", names[i], term.value);
  }
  sink_.report({.rule = Rule::assertion_violated,
                .severity = info(Rule::assertion_violated).severity,
                .message = fmt::format("{} does not hold{}", claim.condition, values),
                .cause = std::string(claim.condition),
                .places = {{process.rank, site, "VOUCH_ASSERT", {}}}});
}

}  // namespace vouch
