#include "predict/testing/all_executions.h"

#include <gtest/gtest.h>

#include "predict/program/state.h"
#include "predict/testing/families.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {

void PrintTo(const Count& c, std::ostream* out) { *out << c.complete << '/' << c.deadlocked; }

namespace {

Count count(const Outcomes& outcomes) {
  return {static_cast<int>(outcomes.complete.size()), static_cast<int>(outcomes.deadlocked.size())};
}

// [P8]
TEST(Explorer, fixtures_end_as_the_table_says) {
  for (const auto& fixture : kFixtures) {
    const auto program = read(fixture.text);
    EXPECT_EQ(count(explore(program, Buffering::infinite)), fixture.infinite) << fixture.name;
    EXPECT_EQ(count(explore(program, Buffering::zero)), fixture.zero) << fixture.name;
  }
}

// [P9]
TEST(Explorer, fan_in_has_a_matching_per_permutation) {
  int factorial = 1;
  for (int n = 1; n <= 7; ++n) {
    factorial *= n;
    for (auto buffering : {Buffering::infinite, Buffering::zero})
      EXPECT_EQ(count(explore(fan_in(n), buffering)), (Count{factorial, 0})) << n;
  }
}

// [P10]
TEST(Explorer, the_gadget_for_n_variables_has_two_to_the_n_matchings) {
  for (int n = 1; n <= 3; ++n)
    for (auto buffering : {Buffering::infinite, Buffering::zero})
      EXPECT_EQ(count(explore(sat_gadget(n, {}), buffering)), (Count{1 << n, 0})) << n;
}

TEST(Explorer, posting_and_passing_at_once_loses_nothing) {
  RandomShape shape;
  shape.max_processes = 3;
  shape.max_messages = 5;
  shape.modes = shape.collectives = shape.probes = shape.communicators = true;
  int deadlocks = 0, races = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto program = random_program(seed, shape);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto quick = explore(program, buffering);
      const auto slow = explore(program, buffering, Choices::every_step);
      ASSERT_FALSE(quick.capped || slow.capped);
      EXPECT_EQ(quick.complete, slow.complete) << print_compact(program);
      EXPECT_EQ(quick.deadlocked, slow.deadlocked) << print_compact(program);
      EXPECT_EQ(quick.pairs, slow.pairs) << print_compact(program);
      deadlocks += !quick.deadlocked.empty();
      races += !racing_receives(quick).empty();
    }
  }
  EXPECT_GT(deadlocks, 100);  // the generator makes what it is for
  EXPECT_GT(races, 25);
}

TEST(Explorer, says_when_it_gave_up) {
  EXPECT_TRUE(explore(fan_in(7), Buffering::infinite, Choices::matches, 100).capped);
}

TEST(Explorer, synchronous_sends_wait_in_any_buffering) {
  const auto outcomes = explore(read("s0>>1 r0<1 | s1>>0 r1<0"), Buffering::infinite);
  EXPECT_EQ(count(outcomes), (Count{0, 1}));
  EXPECT_EQ(count(explore(read("s0>~1 r0<1 | s1>~0 r1<0"), Buffering::zero)), (Count{1, 0}));
}

// [P38]
TEST(Explorer, a_send_that_does_not_block_waits_at_its_wait) {
  const auto with_waits = read("is0>1 ir0<1 w(s0) w(r0) | is1>0 ir1<0 w(s1) w(r1)");
  EXPECT_EQ(count(explore(with_waits, Buffering::zero)), (Count{1, 0}));
  const auto blocking = read("s0>1 r0<1 | s1>0 r1<0");
  EXPECT_EQ(count(explore(blocking, Buffering::zero)), (Count{0, 1}));
}

TEST(Explorer, a_broadcast_holds_back_only_those_without_it) {
  // The root goes on and its message arrives; the other needs the root's call.
  const auto late_root = read("bcast(0) s0>1 | r0<0 bcast(0)");
  EXPECT_EQ(count(explore(late_root, Buffering::infinite)), (Count{1, 0}));
  EXPECT_EQ(count(explore(late_root, Buffering::zero)), (Count{0, 1}));
  const auto late_leaf = read("r0<1 bcast(0) | bcast(0) s0>0");
  EXPECT_EQ(count(explore(late_leaf, Buffering::infinite)), (Count{0, 1}));
}

TEST(Explorer, a_probe_takes_nothing) {
  EXPECT_EQ(count(explore(read("p* r0* r1* | s0>0 | s1>0"), Buffering::infinite)), (Count{2, 0}));
  EXPECT_EQ(count(explore(read("p<1 | s0>0"), Buffering::infinite)), (Count{1, 0}));
  EXPECT_EQ(count(explore(read("ir0<1 p<1 w(0) | s0>0"), Buffering::infinite)), (Count{0, 1}));
}

// [P33], the fixed case.
TEST(Explorer, tags_let_messages_overtake_only_with_buffers) {
  const auto program = read("s1>1:1 s2>1:2 | r2<0:2 r1<0:1");
  EXPECT_EQ(count(explore(program, Buffering::infinite)), (Count{1, 0}));
  EXPECT_EQ(count(explore(program, Buffering::zero)), (Count{0, 1}));
}

// [P23, P24] as the explorer sees them.
TEST(Explorer, assertions_of_figure_2_1) {
  const auto program = read(fixture("F2.1"));
  EXPECT_TRUE(violated(program, explore(program, Buffering::infinite)));
  EXPECT_FALSE(violated(program, explore(program, Buffering::zero)));
  EXPECT_TRUE(path_feasible(program, explore(program, Buffering::zero)));
}

// [P56]
TEST(Explorer, racing_receives_of_the_figures) {
  const auto racing = [](std::string_view name) {
    const auto program = read(fixture(name));
    std::string names;
    for (OpId r : racing_receives(explore(program, Buffering::infinite)))
      names += (names.empty() ? "" : " ") + program[r].name;
    return names;
  };
  EXPECT_EQ(racing("F2.1"), "R02 R05");
  EXPECT_EQ(racing("F2.9"), "R01 R02");
  EXPECT_EQ(racing("F4.1"), "r0 r1 r2 r3 r4");
  EXPECT_EQ(racing("F5.8"), "r0");
  EXPECT_EQ(racing("F5.9"), "");
}

// ---- replay ----

// One complete run, always taking the first possible match.
Schedule first_run(const Program& program, Buffering buffering) {
  State state(program, buffering);
  Schedule schedule;
  state.settle(&schedule);
  for (auto next = state.matches(); !next.empty(); next = state.matches()) {
    schedule.push_back(next.front());
    state.take(next.front());
    state.settle(&schedule);
  }
  return schedule;
}

TEST(Replay, accepts_what_can_happen) {
  for (const auto& fixture : kFixtures) {
    const auto program = read(fixture.text);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto schedule = first_run(program, buffering);
      const auto replayed = replay(program, buffering, schedule);
      ASSERT_TRUE(replayed.ok()) << fixture.name << ": " << replayed.error();
      const auto expected = buffering == Buffering::zero ? fixture.zero : fixture.infinite;
      EXPECT_GT(replayed.value().end == End::complete ? expected.complete : expected.deadlocked, 0)
          << fixture.name << '\n'
          << print_schedule(program, schedule);
    }
  }
}

std::string rejection(std::string_view text, Buffering buffering, const Schedule& schedule) {
  const auto replayed = replay(read(text), buffering, schedule);
  return replayed.ok() ? "accepted" : replayed.error();
}

// [P11]
TEST(Replay, rejects_two_matches_of_one_channel_swapped) {
  const auto program = read(fixture("F2.6"));
  auto schedule = first_run(program, Buffering::infinite);
  std::vector<Step*> matches;
  for (auto& step : schedule)
    if (step.what == Step::What::match) matches.push_back(&step);
  ASSERT_EQ(matches.size(), 2u);
  std::swap(matches[0]->send, matches[1]->send);
  const auto replayed = replay(program, Buffering::infinite, schedule);
  ASSERT_FALSE(replayed.ok());
  EXPECT_NE(replayed.error().find("was sent before"), std::string::npos) << replayed.error();
}

TEST(Replay, rejects_what_cannot_happen) {
  using enum Step::What;
  const std::string_view text = "s0>1 | r0<0";
  const auto program = read(text);
  const OpId s0 = program.find("s0"), r0 = program.find("r0"), w = program[r0].wait;
  EXPECT_EQ(rejection(text, Buffering::infinite, {{issue, s0}, {issue, s0}}),
            "step 2, issue s0: s0 is issued already");
  EXPECT_EQ(rejection(text, Buffering::infinite, {{issue, s0}, {match, r0, s0}}),
            "step 2, r0 takes s0: r0 is not issued");
  EXPECT_EQ(rejection(text, Buffering::infinite, {{issue, r0}, {pass, w}}),
            "step 2, pass w.r0: r0 is not matched");
  EXPECT_EQ(rejection(text, Buffering::zero, {{issue, s0}, {pass, s0}}),
            "step 2, pass s0: s0 is not matched");
  EXPECT_EQ(rejection(text, Buffering::zero, {{match, kNoOp, s0}}),
            "step 1, something unknown takes s0: there is no such operation");
  EXPECT_EQ(rejection(text, Buffering::zero,
                      {{issue, s0}, {issue, r0}, {match, r0, s0}, {pass, s0}, {pass, w}}),
            "accepted");
}

TEST(Replay, tells_how_it_ends) {
  const auto program = read(fixture("F5.8"));
  std::set<End> ends;
  for (auto buffering : {Buffering::infinite, Buffering::zero}) {
    Schedule schedule;
    EXPECT_EQ(replay(program, buffering, schedule).value().end, End::unfinished);
    schedule = first_run(program, buffering);
    ends.insert(replay(program, buffering, schedule).value().end);
  }
  EXPECT_FALSE(ends.contains(End::unfinished));
}

}  // namespace
}  // namespace vouch::predict
