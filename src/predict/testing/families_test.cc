#include "predict/testing/families.h"

#include <gtest/gtest.h>

#include "predict/testing/all_executions.h"

namespace vouch::predict {
namespace {

TEST(Families, call_counts_of_the_tables) {
  for (int p : {4, 8, 16}) EXPECT_EQ(calls(monte(p)), 10u * p - 5);
  for (int p : {8, 10, 16}) EXPECT_EQ(calls(integrate(p)), 5u * p - 4);
  EXPECT_EQ(calls(diffusion(2, 2)), 52u);
  EXPECT_EQ(calls(diffusion(2, 4)), 108u);
  EXPECT_EQ(calls(diffusion(4, 4)), 228u);
  EXPECT_EQ(calls(diffusion_without_barriers(4, 4)), 188u);
  for (int p : {2, 4, 8}) EXPECT_EQ(calls(router(p)), 17u * p);
  for (int p : {8, 16, 32}) EXPECT_EQ(calls(floyd(p)), 17u * p - 16);
  for (int p : {8, 16}) EXPECT_EQ(calls(gaussian_elimination(p)), 8u * (p - 1));
  EXPECT_EQ(calls(dlg(1)), 8u);
  EXPECT_EQ(calls(dlg(2)), 12u);
  EXPECT_EQ(calls(dlg(3)), 16u);
  EXPECT_EQ(calls(mismatch(50, 2)), 400u);
  EXPECT_EQ(calls(mismatch(100, 4)), 800u);
  EXPECT_EQ(calls(mismatch_ex()), 296u);
  EXPECT_EQ(calls(deep_comm(4, 15)), 180u);
  EXPECT_EQ(calls(circular(51, 2, 30)), 252u);
  EXPECT_EQ(calls(pktuse(5, 512)), 2048u);
}

TEST(Families, message_counts_of_the_tables) {
  EXPECT_EQ(messages(leader_election(34, 9)), 620u);
  EXPECT_EQ(messages(router(50)), 200u);
  EXPECT_EQ(messages(multi_m(25)), 100u);
  EXPECT_EQ(messages(pktuse(5, 512)), 512u);
  EXPECT_EQ(messages(worst(4, 25)), 100u);
  EXPECT_EQ(messages(worst(100, 1)), 100u);
}

std::size_t factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

TEST(Families, matchings_of_the_tables) {
  const auto complete = [](const Program& program) {
    const auto outcomes = explore(program, Buffering::infinite);
    EXPECT_TRUE(outcomes.deadlocked.empty());
    return outcomes.complete.size();
  };
  EXPECT_EQ(complete(monte(4)), factorial(4));
  EXPECT_EQ(complete(integrate(6)), factorial(5));
  EXPECT_EQ(complete(gaussian_elimination(8)), 64u);  // 2^(P-2)
  EXPECT_EQ(complete(leader_election(6)), 1u);
  EXPECT_EQ(complete(router(2)), 1u);
  EXPECT_EQ(complete(multi_m(2)), 7u);  // more than 2 * 2: process 2 may be ahead
}

struct Verdicts {
  Program program;
  bool deadlock, zero_compatible, violated;
};

TEST(Families, small_ones_have_the_published_verdicts) {
  const Verdicts rows[] = {
      {monte(4), false, true, false},
      {integrate(5), false, true, true},
      {diffusion(2, 2), false, false, false},
      {diffusion_without_barriers(2, 2), true, false, false},
      {router(2), false, false, false},
      {floyd(4), false, true, false},
      {gaussian_elimination(6), false, true, false},
      {dlg(1), true, true, false},
      {dlg(2), true, true, false},
      {dlg(3), true, true, false},
      {mismatch(5, 1), true, true, false},
      {mismatch_ex(6, 5, 8, 3), true, true, false},
      {deep_comm(2, 3), false, true, true},
      {circular(3, 1, 1), true, false, false},
      {multi_m(2), false, true, true},
      {pktuse(3, 12, 3), false, true, true},
      {fan_in(5, FanInQuestion::one_assignment), false, true, true},
      {fan_in(5, FanInQuestion::one_is_missing), false, true, false},
      {fan_in(5, FanInQuestion::sum), false, true, false},
  };
  for (const auto& row : rows) {
    const auto infinite = explore(row.program, Buffering::infinite);
    const auto zero = explore(row.program, Buffering::zero);
    const auto index = &row - rows;
    ASSERT_FALSE(infinite.capped || zero.capped) << index;
    EXPECT_EQ(!infinite.deadlocked.empty(), row.deadlock) << index;
    EXPECT_EQ(!zero.complete.empty(), row.zero_compatible) << index;
    EXPECT_EQ(violated(row.program, infinite), row.violated) << index;
  }
}

}  // namespace
}  // namespace vouch::predict
