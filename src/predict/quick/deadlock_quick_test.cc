#include "predict/quick/deadlock_quick.h"

#include <ctime>

#include "predict/testing/all_executions.h"
#include "predict/testing/families.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

QuickDeadlock quick(const Program& program, Buffering buffering = Buffering::infinite) {
  return quick_deadlock(program, buffering);
}

// [P41, P43, P45, P46, P48, P52]: those with a deadlock. The witness is replayed.
TEST(QuickDeadlock, witnesses_of_the_fixtures) {
  for (const auto& fixture : kFixtures) {
    const auto program = read(fixture.text);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto expected = buffering == Buffering::zero ? fixture.zero : fixture.infinite;
      const auto answer = quick(program, buffering);
      if (answer.verdict == QuickVerdict::open) continue;
      EXPECT_EQ(answer.verdict == QuickVerdict::never, expected.deadlocked == 0) << fixture.name;
      const bool always = answer.verdict == QuickVerdict::always;
      EXPECT_FALSE(always && expected.complete > 0) << fixture.name;
      if (answer.verdict == QuickVerdict::never) continue;
      const auto replayed = replay(program, buffering, answer.witness);
      ASSERT_TRUE(replayed.ok()) << fixture.name << ": " << replayed.error();
      EXPECT_EQ(replayed.value().end, End::deadlock) << fixture.name;
    }
  }
}

TEST(QuickDeadlock, agrees_with_the_explorer) {
  RandomShape shape;
  shape.modes = shape.collectives = shape.probes = shape.communicators = true;
  const std::uint64_t count = slow_tests() ? 50'000 : 2000;
  std::size_t open[2] = {}, asked = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto program = random_program(seed, shape);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto answer = quick(program, buffering);
      ++asked;
      if (answer.verdict == QuickVerdict::open) {
        ++open[buffering == Buffering::zero];
        continue;
      }
      const auto outcomes = explore(program, buffering);
      EXPECT_EQ(answer.verdict == QuickVerdict::never, outcomes.deadlocked.empty())
          << answer.by << '\n'
          << print_compact(program);
      const bool always = answer.verdict == QuickVerdict::always;
      EXPECT_FALSE(always && !outcomes.complete.empty()) << answer.by << '\n'
                                                         << print_compact(program);
    }
  }
  // Programs as small as these leave nothing open.
  EXPECT_EQ(open[0], 0u);
  EXPECT_EQ(open[1], 0u);
}

TEST(QuickDeadlock, completion_agrees_with_the_explorer) {
  RandomShape shape;
  shape.modes = shape.collectives = shape.probes = shape.communicators = true;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto program = random_program(seed, shape);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto answer = quick_completion(program, buffering);
      const bool possible = !explore(program, buffering).complete.empty();
      EXPECT_EQ(answer.end, possible ? SearchEnd::found : SearchEnd::none)
          << print_compact(program);
      if (answer.end != SearchEnd::found) continue;
      const auto replayed = replay(program, buffering, answer.schedule);
      ASSERT_TRUE(replayed.ok()) << replayed.error();
      EXPECT_EQ(replayed.value().end, End::complete) << print_compact(program);
    }
  }
}

TEST(QuickDeadlock, search_finds_a_way_without_buffers) {
  const auto program = pktuse(5, 512);
  const auto answer = quick_completion(program, Buffering::zero);
  ASSERT_EQ(answer.end, SearchEnd::found);
  EXPECT_EQ(replay(program, Buffering::zero, answer.schedule).value().end, End::complete);
}

// [P53]
TEST(QuickDeadlock, says_who_is_stuck_and_who_took_the_message) {
  const auto report = [](std::string_view name) {
    const auto program = read(fixture(name));
    const auto answer = quick(program);
    const auto end = replay(program, Buffering::infinite, answer.witness);
    return print_deadlock(program, explain_deadlock(program, end.value().state));
  };
  EXPECT_EQ(report("F4.1"),
            "process 0 is stuck at w.r2: r2 waits for process 1; s0 was taken by r0; s1 was taken "
            "by r1\n"
            "process 1 is stuck at w.r5: r5 waits for process 0\n");
  EXPECT_EQ(report("F5.8"),
            "process 0 is stuck at w.r1: no more message comes for r1; s1 was taken by r0\n");
  EXPECT_EQ(report("F3.2w"),
            "process 0 is stuck at b0.0: processes 1 have not called it\n"
            "process 1 is stuck at w.r1.0: r1.0 waits for process 0\n");
}

TEST(QuickDeadlock, says_which_send_is_not_received) {
  const auto program = read("s0>1 r0<1 | s1>0 r1<0");
  const auto answer = quick(program, Buffering::zero);
  const auto end = replay(program, Buffering::zero, answer.witness);
  EXPECT_EQ(print_deadlock(program, explain_deadlock(program, end.value().state)),
            "process 0 is stuck at s0: s0 is not received by process 1\n"
            "process 1 is stuck at s1: s1 is not received by process 0\n");
}

double seconds(const Program& program, QuickVerdict expected) {
  const auto start = std::clock();  // of the processor: the machine may be busy
  const auto answer = quick(program);
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(answer.verdict, expected) << answer.by;
  return taken;
}

// [P54, P55]. The bounds are generous; what is measured is a tenth of them.
TEST(QuickDeadlock, decides_the_tables) {
  EXPECT_LT(seconds(dlg(1), QuickVerdict::possible), 1);
  EXPECT_LT(seconds(dlg(2), QuickVerdict::possible), 1);
  EXPECT_LT(seconds(dlg(3), QuickVerdict::possible), 1);
  EXPECT_LT(seconds(mismatch(100, 4), QuickVerdict::possible), 1);
  EXPECT_LT(seconds(mismatch_ex(), QuickVerdict::possible), 1);
  EXPECT_LT(seconds(diffusion_without_barriers(4, 4), QuickVerdict::possible), 1);
  EXPECT_LT(seconds(circular(51, 2, 30), QuickVerdict::always), 1);
  EXPECT_LT(seconds(monte(16), QuickVerdict::never), 0.05);
  EXPECT_LT(seconds(integrate(16), QuickVerdict::never), 0.05);
  EXPECT_LT(seconds(diffusion(2, 4), QuickVerdict::never), 0.05);
  EXPECT_LT(seconds(diffusion(4, 4), QuickVerdict::never), 0.05);
  EXPECT_LT(seconds(floyd(16), QuickVerdict::never), 0.05);
  EXPECT_LT(seconds(floyd(32), QuickVerdict::never), 0.05);
  EXPECT_LT(seconds(gaussian_elimination(16), QuickVerdict::never), 0.05);
}

}  // namespace
}  // namespace vouch::predict
