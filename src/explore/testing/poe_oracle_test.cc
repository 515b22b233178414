// POE on the examples of docs/spec/exploration.md and on random programs.

#include "explore/testing/poe_oracle.h"

#include <gtest/gtest.h>

#include "explore/testing/examples.h"
#include "explore/testing/test_help.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/random_program.h"

namespace vouch::explore {
namespace {

using predict::Buffering;

void expect(const Simulated& program, Buffering buffering, std::size_t runs,
            std::size_t deadlocks) {
  const PoeResult all = poe(program, buffering);
  EXPECT_EQ(all.interleavings, runs);
  EXPECT_EQ(all.deadlocks, deadlocks);
  EXPECT_EQ(all.outcomes.size(), runs);
  EXPECT_TRUE(all.outcomes == all_outcomes(program, buffering));
}

// [E23]
TEST(Poe, buffered_sends) {
  expect(crooked_barrier(), Buffering::infinite, 2, 0);
  expect(simulated("s0>1 | r0* r1<2 | s2>1"), Buffering::infinite, 2, 1);
  expect(simulated("r0* s0>2 | s1>0 s2>2 | r2* r3<0"), Buffering::infinite, 2, 1);
  expect(simulated("ir0*:2 ir1*:3 r2*:2 r3*:3 w(r0) w(r1) | s0>0:2 s1>0:3 | s2>0:3 s3>0:2"),
         Buffering::infinite, 4, 0);
  expect(phases(3, 2), Buffering::infinite, 36, 0);
  expect(late_prefix(), Buffering::infinite, 3, 0);
  expect(simulated("is0>1 w ir0<1 w | is1>0 w ir1<0 w"), Buffering::infinite, 1, 0);
}

// [E24, T3, T9, T14]
TEST(Poe, sends_that_wait) {
  expect(simulated("is0>1 w ir0<1 w | is1>0 w ir1<0 w"), Buffering::zero, 1, 1);
  expect(simulated("ir0*:2 ir1*:3 r2*:2 r3*:3 w(r0) w(r1) | s0>0:2 s1>0:3 | s2>0:3 s3>0:2"),
         Buffering::zero, 3, 1);
  expect(simulated("r0* r1* | s0>0 s1>2 | r2<1 s2>0"), Buffering::zero, 1, 0);
}

// [E28]
TEST(Poe, agrees_with_vector_clocks) {
  for (const Simulated& program : {crooked_barrier(), late_prefix(), n_receives(2, 3), phases(2, 2),
                                   matmul(2, 3), probe_loop(3)}) {
    const PoeResult all = poe(program, Buffering::infinite);
    EXPECT_TRUE(all.outcomes == explore_all(program, Protocol::vector, 3).outcomes);
    EXPECT_EQ(all.outcomes.size(), all.interleavings);
  }
}

TEST(Poe, barriers_that_matter) {
  // A message from behind the barrier could be taken before it.
  EXPECT_EQ(poe(phases(2, 2), Buffering::infinite).relevant_barriers, 1u);
  EXPECT_EQ(poe(phases(2, 2), Buffering::infinite).barriers, 2u);
  // The pending receive may take it in spite of the barrier.
  EXPECT_EQ(poe(crooked_barrier(), Buffering::infinite).relevant_barriers, 0u);
  EXPECT_EQ(poe(simulated("b s0>1 | b r0* b r1<0 | b b s1>1"), Buffering::infinite).barriers, 2u);
}

TEST(Poe, random_programs_with_and_without_buffers) {
  const int programs = slow_tests() ? 5000 : 150;
  predict::RandomShape shape;
  shape.max_messages = 6;
  shape.modes = true;
  for (const Buffering buffering : {Buffering::infinite, Buffering::zero}) {
    for (int seed = 1; seed <= programs; ++seed) {
      const auto program = predict::random_program(static_cast<std::uint64_t>(seed), shape);
      const PoeResult all = poe(simulated(program), buffering);
      const auto truth = predict::explore(program, buffering);
      ASSERT_EQ(all.outcomes.size(), all.interleavings) << seed;
      ASSERT_EQ(all.interleavings, truth.complete.size() + truth.deadlocked.size())
          << seed << "\n"
          << predict::print_compact(program);
      ASSERT_EQ(all.deadlocks, truth.deadlocked.size()) << seed;
    }
  }
}

}  // namespace
}  // namespace vouch::explore
