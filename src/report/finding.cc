#include "report/finding.h"

#include "base/check.h"

namespace vouch {

namespace {

constexpr RuleInfo kRules[] = {
#define VOUCH_RULE(name, id, severity, clause, title, advice) \
  {id, Severity::severity, clause, title, advice},
#include "report/rules.def"
#undef VOUCH_RULE
};

}  // namespace

const RuleInfo& info(Rule rule) {
  const auto index = static_cast<std::size_t>(rule);
  VOUCH_CHECK(index < std::size(kRules));
  return kRules[index];
}

}  // namespace vouch
