#include "report/merge.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

Finding finding(const std::string& rule, int rank, int line, const std::string& cause = "") {
  Finding f;
  f.rule = rule;
  f.message = "said by " + std::to_string(rank);
  f.ranks = {rank};
  f.cause = cause;
  f.locations.push_back({.rank = rank, .call = "MPI_Send(dest=9)", .file = "a.c", .line = line});
  return f;
}

// [U52]
TEST(Merge, equal_findings_are_one_with_the_text_of_the_lowest_rank) {
  Summary a, b;
  a.findings = {finding("argument/rank", 3, 7)};
  b.findings = {finding("argument/rank", 1, 7), finding("argument/rank", 1, 8)};
  merge(a, b);
  ASSERT_EQ(a.findings.size(), 2u);
  EXPECT_EQ(a.findings[0].ranks, (std::vector<int>{1, 3}));
  EXPECT_EQ(a.findings[0].count, 2u);
  EXPECT_EQ(a.findings[0].message, "said by 1");
  EXPECT_EQ(a.verdict, Verdict::error);
}

TEST(Merge, ways_to_one_line_that_two_agents_have_seen) {  // --stacks
  const auto called_from = [](int rank, int line) {
    Finding f = finding("argument/rank", rank, 7);
    f.locations[0].stack = {{"send", "a.c", 7, 0}, {"step", "b.c", line, 0}};
    return f;
  };
  Summary a, b, c;
  a.findings = {called_from(0, 3)};
  b.findings = {called_from(2, 5)};
  c.findings = {called_from(3, 3)};
  merge(a, b);
  merge(a, c);
  ASSERT_EQ(a.findings.size(), 1u);
  ASSERT_EQ(a.findings[0].locations.size(), 2u);
  EXPECT_EQ(a.findings[0].locations[1].role, "also called from b.c:5");
  EXPECT_EQ(a.findings[0].locations[1].rank, 2);
}

TEST(Merge, another_cause_is_another_finding) {
  Summary a, b;
  a.findings = {finding("argument/rank", 0, 7, "dest")};
  b.findings = {finding("argument/rank", 1, 7, "source")};
  merge(a, b);
  EXPECT_EQ(a.findings.size(), 2u);
}

TEST(Merge, what_happened_outweighs_what_might_have) {
  Summary a, b;
  a.findings = {finding("deadlock/wait-cycle", 0, 7)};
  a.findings[0].potential = true;
  b.findings = {finding("deadlock/wait-cycle", 1, 7)};
  merge(a, b);
  ASSERT_EQ(a.findings.size(), 1u);
  EXPECT_FALSE(a.findings[0].potential);
}

TEST(Merge, findings_of_the_end_come_last) {
  Summary a, b;
  a.findings = {finding("unmatched/send", 0, 3)};
  b.findings = {finding("argument/rank", 5, 9)};
  merge(a, b);
  EXPECT_EQ(a.findings[0].rule, "argument/rank");
}

TEST(Merge, gaps_and_numbers_are_added) {
  Summary a, b;
  a.not_checked = {{"MPI_Put", "why", 2, {}, {}}};
  b.not_checked = {{"MPI_Put", "why", 3, {}, {}}, {"MPI_Get", "why", 1, {}, {}}};
  a.statistics = {{"calls", 10}};
  b.statistics = {{"calls", 5}, {"polls", 1}};
  b.ranks = 4;
  merge(a, b);
  ASSERT_EQ(a.not_checked.size(), 2u);
  EXPECT_EQ(a.not_checked[0].count, 5u);
  EXPECT_EQ(a.statistics[0].second, 15u);
  EXPECT_EQ(a.statistics.size(), 2u);
  EXPECT_EQ(a.ranks, 4);
  EXPECT_EQ(a.verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace vouch
