// The checks that --checks names, from registry.def.

#include <fmt/format.h>

#include "analysis/checks.h"
#include "cli/manual.h"

namespace vouch {
namespace {

std::string_view looks_at(CheckScope scope) {
  switch (scope) {
    case CheckScope::rank:
      return "each rank alone";
    case CheckScope::pair:
      return "two ranks that meet";
    case CheckScope::job:
      break;
  }
  return "all ranks";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> rows_of_checks(Subcommand command) {
  std::vector<std::pair<std::string, std::string>> rows;
  if (!row(Option::checks).in(command)) return rows;
  for (const CheckInfo& check : all_checks())
    rows.emplace_back(check.name, fmt::format("{}. Looks at {}; cost {}", check.what,
                                              looks_at(check.scope), name(check.cost)));
  return rows;
}

std::string checks_markdown() {
  std::string out = R"(# Checks

What `vouch run` looks for, in the order in which it does. Made from `src/analysis/registry.def` by
`vouch __generate checks`. `--checks LIST` chooses: a name, a family (`argument` is all that begin
with `argument/`), a cost or `all`, separated by commas; a minus leaves out: `--checks all,-io`.

- A check may report rules of other families: `argument/values` also `type/uncommitted` and
  `topology/kind`, `lifecycle` also `thread/level`.
- What is left out and had calls to look at is named as not checked, so the verdict is not `clean`:
  to keep findings out of a report and trust the rest use `--suppressions`.
- Other checks go by what some find (last column): these run all the same, and what they find is not
  shown, unless something that is shown follows from it. A rank that waits forever because of a wrong
  tag is reported with the tag, also by `--checks deadlock`.
- The cost is the largest share that a check has of the agent's time in the programs of `bench_agent`:
  low up to a twentieth, medium up to a sixth, high.
- Without `deadlock` a job that is stuck is not ended; give it a `--timeout`.

| name | looks for | looks at | cost | left out |
|---|---|---|---|---|
)";
  for (const CheckInfo& check : all_checks())
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", check.name, check.what,
                       looks_at(check.scope), name(check.cost),
                       check.off == WhenOff::absent ? "costs nothing" : "still runs");
  return out;
}

}  // namespace vouch
