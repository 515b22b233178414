#include "report/harm.h"

#include <gtest/gtest.h>

#include "report/collector.h"

namespace vouch {
namespace {

constexpr Harm kAll[] = {Harm::meaning, Harm::memory, Harm::requests,
                         Harm::failure, Harm::hang,   Harm::damage};

TEST(Harm, a_call_that_is_not_followed_may_hang_and_fail) {
  // Nobody is compared with a call without meaning, and its waiting is not followed: a hang in it
  // can only be told as its consequence.
  for (std::size_t i = 0; i < static_cast<std::size_t>(Rule::count_); ++i) {
    const Rule rule = static_cast<Rule>(i);
    const Harms harms = harms_of(rule, Severity::error);
    if (!harms.has(Harm::meaning)) continue;
    EXPECT_TRUE(harms.has(Harm::hang)) << info(rule).id;
    EXPECT_TRUE(harms.has(Harm::failure)) << info(rule).id;
  }
}

TEST(Harm, wrong_data_neither_hang_nor_hide_what_else_is_wrong) {
  for (const Rule rule : {Rule::buffer_pending_overlap, Rule::buffer_call_overlap,
                          Rule::buffer_modified, Rule::type_overlap, Rule::buffer_bounds}) {
    EXPECT_FALSE(harms_of(rule).has(Harm::hang)) << info(rule).id;
    EXPECT_FALSE(harms_of(rule).has(Harm::meaning)) << info(rule).id;
  }
}

TEST(Harm, warnings_explain_no_deadlock_and_no_death) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Rule::count_); ++i) {
    const Harms warning = harms_of(static_cast<Rule>(i), Severity::warning);
    for (const Harm harm : {Harm::meaning, Harm::hang, Harm::damage})
      EXPECT_FALSE(warning.has(harm)) << info(static_cast<Rule>(i)).id;
    for (const Harm harm : kAll)
      EXPECT_FALSE(harms_of(static_cast<Rule>(i), Severity::info).has(harm));
  }
}

TEST(Harm, a_freed_request_is_gone_not_in_doubt) {
  EXPECT_FALSE(harms_of(Rule::request_free, Severity::warning).has(Harm::requests));
  EXPECT_FALSE(harms_of(Rule::request_free, Severity::error).has(Harm::requests));
}

// [U51]
TEST(Harm, a_consequence_goes_to_a_finding_that_can_cause_it) {
  SiteTable sites;
  Collector collector(sites);
  const Site here = sites.intern_text("a.c:3");
  const auto report = [&](Rule rule, Severity severity) {
    collector.report({rule, severity, "m", "", {{WorldRank{0}, here, "MPI_Send", ""}}});
  };
  report(Rule::buffer_pending_overlap, Severity::error);
  EXPECT_FALSE(collector.consequence(WorldRank{0}, here, Harm::hang, "hangs"));
  EXPECT_FALSE(collector.consequence(WorldRank{0}, here, Harm::failure, "fails"));
  report(Rule::argument_rank, Severity::warning);
  EXPECT_FALSE(collector.consequence(WorldRank{0}, here, Harm::hang, "hangs"));
  report(Rule::argument_rank, Severity::error);
  report(Rule::buffer_call_overlap, Severity::error);  // newer, but it makes nobody wait
  EXPECT_TRUE(collector.consequence(WorldRank{0}, here, Harm::hang, "hangs"));
  EXPECT_TRUE(collector.consequence(WorldRank{0}, here, Harm::failure, "fails"));
  for (const Finding& f : collector.summary().findings) {
    const std::vector<std::string> wanted =
        f.severity == Severity::warning   ? std::vector<std::string>{}
        : f.rule == "argument/rank"       ? std::vector<std::string>{"hangs"}
        : f.rule == "buffer/call-overlap" ? std::vector<std::string>{"fails"}
                                          : std::vector<std::string>{};
    EXPECT_EQ(f.consequences, wanted) << f.rule;
  }
}

}  // namespace
}  // namespace vouch
