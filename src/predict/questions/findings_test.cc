#include "predict/questions/findings.h"

#include "predict/program/state.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/test_help.h"
#include "report/collector.h"
#include "report/text.h"

namespace vouch::predict {
namespace {

struct Told {
  Summary summary;
  Predicted predicted;
};

Told tell(std::string_view text, const Asked& asked = {}, const QuestionOptions& options = {}) {
  const auto program = read(text);
  SiteTable sites;
  Collector collector(sites);
  Told told;
  told.predicted = predict(program, options, asked, sites);
  report(told.predicted, collector);
  told.summary = collector.summary();
  told.summary.verdict = judge(told.summary);
  return told;
}

// [P53]: who is stuck where, what it waits for, who took its message, and a schedule.
TEST(PredictFindings, deadlock_is_explained) {
  const auto told = tell(fixture("F5.8"), {.races = false});
  ASSERT_EQ(told.summary.findings.size(), 1u);
  const auto& finding = told.summary.findings[0];
  EXPECT_EQ(finding.rule, "deadlock/finished-rank");
  EXPECT_EQ(finding.message, "in some schedule: r2 takes s0, r0 takes s1");
  ASSERT_EQ(finding.locations.size(), 1u);
  EXPECT_EQ(finding.locations[0].rank, 0);
  EXPECT_EQ(finding.locations[0].call, "receive r1 from rank 1");
  EXPECT_EQ(finding.locations[0].role, "waits for rank 1; r0 took s1");
  ASSERT_EQ(told.predicted.predictions.size(), 1u);
  const auto program = read(fixture("F5.8"));
  const auto run = replay(program, Buffering::infinite, told.predicted.predictions[0].schedule);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run.value().end, End::deadlock);
  EXPECT_EQ(told.summary.verdict, Verdict::error);
}

TEST(PredictFindings, a_deadlock_that_needs_zero_buffering_says_so) {
  const auto told = tell(fixture("T-HH"));
  ASSERT_EQ(told.summary.findings.size(), 1u);
  EXPECT_TRUE(told.summary.findings[0].potential);
  EXPECT_EQ(told.summary.findings[0].rule, "deadlock/wait-cycle");
  EXPECT_EQ(told.summary.findings[0].message, "in every schedule when sends are not buffered");
  EXPECT_EQ(tell(fixture("T-HH"), {.zero = false}).summary.verdict, Verdict::clean);
}

// Other answers of tests, or of waits for some of several requests, are no part of a trace.
TEST(PredictFindings, every_schedule_is_not_said_where_answers_are_those_of_the_run) {
  Asked asked{.races = false};
  asked.answers = true;
  const auto told = tell("r0<1 | r1<0", asked);
  ASSERT_EQ(told.summary.findings.size(), 1u);
  EXPECT_TRUE(told.summary.findings[0].message.starts_with(
      "in every schedule in which tests and waits for some of several requests answer as in this"));
  EXPECT_FALSE(told.predicted.predictions[0].always);
  EXPECT_TRUE(tell("r0<1 | r1<0", {.races = false}).predicted.predictions[0].always);
}

TEST(PredictFindings, assertion_and_races) {
  const auto told = tell(fixture("F2.1"));
  ASSERT_EQ(told.summary.findings.size(), 3u);
  EXPECT_EQ(told.summary.findings[0].rule, "assertion/violated");
  EXPECT_EQ(told.summary.findings[0].message,
            "a == 4 fails: R02 takes S15, R05 takes S24, R13 takes S26");
  EXPECT_EQ(told.summary.findings[1].rule, "race/message");
  EXPECT_EQ(told.summary.findings[1].message, "can take S15, S24");
}

// A test that was told yes is no wait: who stands there asks.
TEST(PredictFindings, polling_is_not_blocking) {
  const auto told = tell("ir0<1 t(r0) s0>1 | r1<0 s1>0", {.races = false});
  ASSERT_EQ(told.summary.findings.size(), 1u);
  EXPECT_EQ(told.summary.findings[0].rule, "deadlock/livelock");
  EXPECT_EQ(told.summary.findings[0].severity, Severity::warning);
  EXPECT_EQ(told.summary.findings[0].locations[0].role, "polls forever for rank 1");
}

// Lines are better than names, where there are any.
TEST(PredictFindings, a_run_is_told_by_its_lines) {
  const auto told = tell("r0*@a.c:3 r1<1@a.c:4 | s0>0@a.c:7 | s1>0@a.c:9", {.races = false});
  ASSERT_EQ(told.summary.findings.size(), 1u);
  EXPECT_EQ(told.summary.findings[0].message,
            "in some schedule: rank 0 at a.c:3 takes the message of rank 1 (a.c:7)");
  EXPECT_EQ(told.summary.findings[0].locations[0].call, "receive from rank 1");
}

// [P58]: clean is proved, inconclusive has its reason.
TEST(PredictFindings, verdicts) {
  EXPECT_EQ(tell(fixture("F1.1")).summary.verdict, Verdict::clean);
  const auto infeasible =
      tell("r0*=a assume(a > 5) assert(a == 1) | s0>0=1 | s1>0=2", {.zero = false});
  EXPECT_EQ(infeasible.summary.verdict, Verdict::inconclusive);
  ASSERT_FALSE(infeasible.summary.not_checked.empty());
  EXPECT_EQ(infeasible.summary.not_checked[0].reason, "the recorded path is infeasible");
  const auto stuck = tell("r0*=a assert(a == 1) r1<1 | s0>0=1", {.deadlock = false});
  EXPECT_EQ(stuck.summary.verdict, Verdict::inconclusive);
  ASSERT_FALSE(stuck.summary.not_checked.empty());
  EXPECT_EQ(stuck.summary.not_checked[0].reason, "no execution ends: each is stuck somewhere");
  QuestionOptions late;
  late.limits.seconds = 0;
  late.quick_stages = false;
  EXPECT_EQ(tell(fixture("F4.1"), {}, late).summary.verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace vouch::predict
