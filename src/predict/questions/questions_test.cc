#include "predict/questions/questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include <unistd.h>

#include "predict/program/state.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/families.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

constexpr Buffering kBoth[] = {Buffering::infinite, Buffering::zero};

QuestionOptions exact() {
  QuestionOptions options;
  options.quick_stages = false;
  return options;
}

std::string names(const Program& program, const std::vector<Match>& matching) {
  std::string text;
  for (const auto& match : matching)
    text +=
        (text.empty() ? "" : " ") + program[match.receive].name + "<-" + program[match.send].name;
  return text;
}

// The witness runs, and ends as it should.
void expect_replays(const Program& program, Buffering buffering, const Reply& reply, End end) {
  const auto run = replay(program, buffering, reply.schedule);
  ASSERT_TRUE(run.ok()) << run.error() << "\n" << print_compact(program);
  EXPECT_EQ(run.value().end, end) << print_compact(program);
}

// [P23, P24]
TEST(Questions, figure_2_1) {
  const auto program = read(fixture("F2.1"));
  const auto reply = Predictor(program).violation(Buffering::infinite);
  EXPECT_EQ(reply.outcome, Outcome::witnessed);
  EXPECT_EQ(names(program, reply.matching), "R02<-S15 R05<-S24 R13<-S26");
  expect_replays(program, Buffering::infinite, reply, End::complete);
  EXPECT_EQ(Predictor(program).violation(Buffering::zero).outcome, Outcome::proved);
}

// [P25]
TEST(Questions, order_of_a_channel) {
  const auto good = read("a>1=1 b>1=2 | ir1* ir2* w(1) w(2) assert(r1 == 1 && r2 == 2)");
  EXPECT_EQ(Predictor(good).violation(Buffering::infinite).outcome, Outcome::proved);
  const auto swapped = read("a>1=1 b>1=2 | ir1* ir2* w(1) w(2) assert(r1 == 2)");
  EXPECT_EQ(Predictor(swapped).violation(Buffering::infinite).outcome, Outcome::witnessed);
}

// [P28]
TEST(Questions, a_path_nobody_can_follow_proves_nothing) {
  const auto program = read("r0*=a assume(a > 5) assert(a == 1) | s0>0=1 | s1>0=2");
  const auto reply = Predictor(program).violation(Buffering::infinite);
  EXPECT_EQ(reply.outcome, Outcome::inconclusive);
  EXPECT_EQ(reply.reason, "the recorded path is infeasible");
}

TEST(Questions, a_value_nobody_knows_decides_nothing) {
  const auto program = read("r0*=a assert(a == 1) | s0>0=1 | s1>0");
  EXPECT_EQ(Predictor(program).violation(Buffering::infinite).reason,
            "a condition reads a message whose value is not known");
}

// [P29]
TEST(Questions, fan_in) {
  const auto start = std::clock();
  const auto one = fan_in(70, FanInQuestion::one_assignment);
  EXPECT_EQ(Predictor(one).violation(Buffering::infinite).outcome, Outcome::witnessed);
  const auto none = fan_in(30, FanInQuestion::one_is_missing);
  EXPECT_EQ(Predictor(none).violation(Buffering::infinite).outcome, Outcome::proved);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 2);
}

// [P30, P31]
TEST(Questions, messages_and_barriers) {
  EXPECT_EQ(Predictor(read(fixture("F3.2")), exact()).reachable(Buffering::infinite).outcome,
            Outcome::witnessed);
  EXPECT_EQ(Predictor(read(fixture("F3.2w")), exact()).reachable(Buffering::infinite).outcome,
            Outcome::proved);
  const auto apart = read("r0* assert(r0 == 1) b r1* | a>0=1 b | b c>0=2");
  EXPECT_EQ(Predictor(apart).violation(Buffering::infinite).outcome, Outcome::proved);
  const auto mixed = read("b r0* assert(r0 == 1) r1* | a>0=1 b | b c>0=2");
  EXPECT_EQ(Predictor(mixed).violation(Buffering::infinite).outcome, Outcome::witnessed);
}

// [P35, P36, P37, P52] and the deadlock lines [P41-P48]: every fixture, with and without quick
// stages.
TEST(Questions, fixtures) {
  for (const auto& one : kFixtures) {
    const auto program = read(one.text);
    for (const bool quick : {true, false})
      for (const auto buffering : kBoth) {
        QuestionOptions options;
        options.quick_stages = quick;
        Predictor predictor(program, options);
        const auto& count = buffering == Buffering::zero ? one.zero : one.infinite;
        const auto stuck = predictor.deadlock(buffering);
        EXPECT_EQ(stuck.outcome, count.deadlocked > 0 ? Outcome::witnessed : Outcome::proved)
            << one.name << quick;
        if (stuck.outcome == Outcome::witnessed)
          expect_replays(program, buffering, stuck, End::deadlock);
        const auto complete = predictor.reachable(buffering);
        EXPECT_EQ(complete.outcome, count.complete > 0 ? Outcome::witnessed : Outcome::proved)
            << one.name << quick;
        if (complete.outcome == Outcome::witnessed)
          expect_replays(program, buffering, complete, End::complete);
      }
  }
}

// [P45]
TEST(Questions, figure_4_1_starves_a_receive) {
  const auto program = read(fixture("F4.1"));
  const auto reply = Predictor(program, exact()).deadlock(Buffering::infinite);
  EXPECT_EQ(names(program, reply.matching), "r0<-s0 r1<-s1");
}

// [P49]: what the counting machine decides, and what it cannot.
TEST(Questions, stuck_in_every_execution) {
  for (const auto* name : {"F5.2", "T-RING", "T-WCIRC", "F3.2w", "T-SELF"})
    EXPECT_EQ(Predictor(read(fixture(name))).deadlock(Buffering::infinite).stage, Stage::always)
        << name;
  for (const auto* name : {"F5.8", "F4.1", "T-FORCED"})
    EXPECT_NE(Predictor(read(fixture(name))).deadlock(Buffering::infinite).stage, Stage::always)
        << name;
}

// [P17, P20, P22]: growing bounds.
TEST(Questions, sections) {
  QuestionOptions options = exact();
  options.sections = true;
  const auto f41 = read(fixture("F4.1"));
  const auto found = Predictor(f41, options).deadlock(Buffering::infinite);
  EXPECT_EQ(found.outcome, Outcome::witnessed);
  EXPECT_EQ(found.bound, 2);
  for (const auto& one : kFixtures) {
    if (one.infinite.complete == 0) continue;
    const auto program = read(one.text);
    const auto reply = Predictor(program, options).reachable(Buffering::infinite);
    EXPECT_EQ(reply.outcome, Outcome::witnessed) << one.name;
    EXPECT_EQ(reply.bound, 1) << one.name;
  }
  const auto holds = read("R01*=a R02* S03>1 R04* assert(a < 9) | S11>0=1 R12* S13>0=2 | S21>0=3");
  options.largest_bound = 1;
  const auto early = Predictor(holds, options).violation(Buffering::infinite);
  EXPECT_EQ(early.outcome, Outcome::inconclusive);
  EXPECT_EQ(early.reason, "not witnessed up to bound 1 of 2");
  options.largest_bound = 0;
  const auto proved = Predictor(holds, options).violation(Buffering::infinite);
  EXPECT_EQ(proved.outcome, Outcome::proved);
  EXPECT_EQ(proved.bound, 2);
}

// [P54, P55] (times in seconds of the processor: the machine may be busy)
TEST(Questions, large_programs) {
  const auto seconds = [](const Program& program, Outcome expected) {
    const auto start = std::clock();
    EXPECT_EQ(Predictor(program).deadlock(Buffering::infinite).outcome, expected);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  EXPECT_LT(seconds(mismatch(100, 4), Outcome::witnessed), 1);
  EXPECT_LT(seconds(monte(16), Outcome::proved), 0.05);
  EXPECT_LT(seconds(integrate(16), Outcome::proved), 0.05);
  EXPECT_LT(seconds(diffusion(4, 4), Outcome::proved), 0.05);
  EXPECT_LT(seconds(floyd(16), Outcome::proved), 0.05);
}

// [P56]
TEST(Questions, races) {
  const auto racing = [](std::string_view name) {
    const auto program = read(fixture(name));
    std::string found;
    for (const auto& race : Predictor(program, exact()).races(Buffering::infinite).races)
      found += (found.empty() ? "" : " ") + program[race.receive].name;
    return found;
  };
  EXPECT_EQ(racing("F2.1"), "R02 R05");
  EXPECT_EQ(racing("F2.9"), "R01 R02");
  EXPECT_EQ(racing("F4.1"), "r0 r1 r2 r3 r4");
  EXPECT_EQ(racing("F5.8"), "r0");
  EXPECT_EQ(racing("F5.9"), "");
}

// [P57]
TEST(Questions, satisfiability_as_a_trace) {
  const auto yes = sat_gadget(2, {{1, 2}, {-1}});
  const auto reply = Predictor(yes).satisfaction(Buffering::infinite);
  ASSERT_EQ(reply.outcome, Outcome::witnessed);
  expect_replays(yes, Buffering::infinite, reply, End::complete);
  EXPECT_EQ(Predictor(sat_gadget(1, {{1}, {-1}})).satisfaction(Buffering::infinite).outcome,
            Outcome::proved);
}

// [P58]: time over is no answer.
TEST(Questions, no_time_no_answer) {
  QuestionOptions options = exact();
  options.limits.seconds = 0;
  const auto program = read(fixture("F4.1"));
  const auto reply = Predictor(program, options).deadlock(Buffering::infinite);
  EXPECT_EQ(reply.outcome, Outcome::inconclusive);
  EXPECT_EQ(reply.reason, "the time is over");
}

// [P34]: what is written is the whole question; it grows with the square of the program.
TEST(Questions, written_questions) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("vouch-smtlib-" + std::to_string(::getpid()));
  for (const auto* name : {"F4.1", "F2.9", "T-HH", "T-RANK", "F5.6"})
    for (const auto buffering : kBoth) {
      std::filesystem::create_directories(folder);
      QuestionOptions options = exact();
      options.limits.smtlib = folder;
      const auto program = read(fixture(name));
      const auto reply = Predictor(program, options).deadlock(buffering);
      for (const auto& file : std::filesystem::directory_iterator(folder)) {
        z3::context context;
        z3::solver solver(context);
        solver.from_file(file.path().c_str());
        EXPECT_EQ(solver.check() == z3::sat, reply.outcome == Outcome::witnessed) << name;
      }
      std::filesystem::remove_all(folder);
    }
  const auto size = [](int n) {
    const auto program = worst(4, n);
    Solver solver;
    return Encoding(solver.context(), program, Buffering::infinite, match_pairs(program),
                    Extent::complete)
        .constraints()
        .size();
  };
  EXPECT_LE(size(12), 4.5 * static_cast<double>(size(6)));
}

// The dissertation's own encodings: right on its own figures, wrong where it is known [P32].
TEST(Questions, printed_encodings) {
  const auto ask = [](std::string_view name, EncodingKind kind) {
    const auto program = read(fixture(name));
    z3::context context;
    const Reference reference(context, program, kind, match_pairs(program, MatchRule::rank));
    z3::solver solver(context);
    for (const auto& one : reference.constraints()) solver.add(one);
    return solver.check() == z3::sat;
  };
  for (const auto kind : {EncodingKind::e1, EncodingKind::e2}) EXPECT_TRUE(ask("F2.1", kind));
  EXPECT_TRUE(ask("F5.2", EncodingKind::e1));  // [G1]: should have no solution
  EXPECT_FALSE(ask("F5.2", EncodingKind::e2));
  EXPECT_TRUE(ask("T-HH", EncodingKind::e3));     // [G2]
  EXPECT_TRUE(ask("F5.6", EncodingKind::e3));     // [G4]
  EXPECT_FALSE(ask("T-ZORD", EncodingKind::e3));  // [G6]
  EXPECT_TRUE(ask("F5.9", EncodingKind::e3));
}

// [P33, P51, S8] and the bar of the oracle: all questions on random programs.
TEST(Questions, agree_with_the_explorer) {
  const std::uint64_t seeds = slow_tests() ? 50'000 : 150;
  for (std::uint64_t seed = 1'000'000; seed < 1'000'000 + seeds; ++seed) {
    RandomShape shape{.tags = seed % 2 == 0, .conditions = seed % 4 == 1};
    if (seed % 3 == 1) shape.modes = shape.collectives = shape.communicators = true;
    if (seed % 5 == 2) shape.probes = true;
    const auto program = random_program(seed, shape);
    for (const auto buffering : kBoth) {
      const auto outcomes = explore(program, buffering);
      if (outcomes.capped) continue;
      const auto where = print_compact(program) +
                         (buffering == Buffering::zero ? " zero" : " infinite") + " seed " +
                         std::to_string(seed);
      Predictor predictor(program, seed % 2 == 0 ? exact() : QuestionOptions{});
      const auto is = [](bool yes) { return yes ? Outcome::witnessed : Outcome::proved; };
      ASSERT_EQ(predictor.deadlock(buffering).outcome, is(!outcomes.deadlocked.empty())) << where;
      ASSERT_EQ(predictor.reachable(buffering).outcome, is(path_feasible(program, outcomes)))
          << where;
      const auto violation = predictor.violation(buffering);
      if (violation.outcome == Outcome::inconclusive)
        ASSERT_FALSE(path_feasible(program, outcomes)) << where;
      else
        ASSERT_EQ(violation.outcome, is(violated(program, outcomes))) << where;
      std::set<OpId> racing;
      for (const auto& race : predictor.races(buffering).races) racing.insert(race.receive);
      ASSERT_EQ(racing, racing_receives(outcomes)) << where;
    }
  }
}

}  // namespace
}  // namespace vouch::predict
