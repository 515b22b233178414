#include "predict/encoding/encoding.h"

#include <gtest/gtest.h>

#include <set>

#include "predict/encoding/solver.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

using Matchings = std::set<std::vector<Match>>;

// Every solution, as what is matched.
Matchings solutions(const Program& program, Buffering buffering, const MatchPairs& pairs,
                    Extent extent, Rules rules = {}) {
  Solver solver;
  const Encoding encoding(solver.context(), program, buffering, pairs, extent, rules);
  Matchings found;
  if (encoding.impossible()) return found;
  auto constraints = encoding.constraints();
  const auto times = encoding.times();
  constraints.insert(constraints.end(), times.begin(), times.end());
  std::vector<z3::expr> all{solver.context().bool_const("always")};  // a program may have none
  for (const auto& match : encoding.pairs()) all.push_back(encoding.takes(match));
  constraints.push_back(all[0]);
  Question question(solver, constraints, {all});
  while (question.check() == Answer::sat) {
    std::vector<Match> matching;
    z3::expr_vector other(solver.context());
    for (const auto& match : encoding.pairs()) {
      const auto x = encoding.takes(match);
      const bool taken = question.value(x);
      if (taken) matching.push_back(match);
      other.push_back(taken ? !x : x);
    }
    EXPECT_TRUE(found.insert(matching).second);
    if (other.empty()) break;
    question.add(z3::mk_or(other));
  }
  return found;
}

Matchings complete(const Program& program, Buffering buffering, Rules rules = {}) {
  return solutions(program, buffering, match_pairs(program), Extent::complete, rules);
}

bool stuck(const Program& program, Buffering buffering) {
  Solver solver;
  const Encoding encoding(solver.context(), program, buffering, match_pairs(program),
                          Extent::stuck);
  if (encoding.impossible()) return false;
  auto constraints = encoding.constraints();
  const auto times = encoding.times();
  constraints.insert(constraints.end(), times.begin(), times.end());
  return Question(solver, constraints).check() == Answer::sat;
}

// [P26, P27, P35, P36, S9] and the tables: all fixtures, all supersets of the pairs.
TEST(Encoding, fixtures) {
  for (const auto& one : kFixtures) {
    const auto program = read(one.text);
    for (const auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto outcomes = explore(program, buffering);
      const auto& count = buffering == Buffering::zero ? one.zero : one.infinite;
      const auto found = complete(program, buffering);
      EXPECT_EQ(found.size(), static_cast<std::size_t>(count.complete)) << one.name;
      EXPECT_EQ(found, outcomes.complete) << one.name;
      for (const auto& pairs :
           {match_pairs(program, MatchRule::endpoint), match_pairs(program, outcomes.pairs)})
        EXPECT_EQ(solutions(program, buffering, pairs, Extent::complete), found) << one.name;
      EXPECT_EQ(stuck(program, buffering), count.deadlocked > 0) << one.name;
    }
  }
}

// [P32, S2, S4, S5, S7]: without a rule some fixture gets wrong.
TEST(Encoding, each_rule_is_needed) {
  const auto count = [](std::string_view name, Buffering buffering, MatchRule rule, Rules rules) {
    const auto program = read(fixture(name));
    return solutions(program, buffering, match_pairs(program, rule), Extent::complete, rules)
        .size();
  };
  const Rules plain{.refine = false};
  EXPECT_EQ(count("F2.9", Buffering::infinite, MatchRule::rank, plain), 2u);
  EXPECT_EQ(
      count("F2.9", Buffering::infinite, MatchRule::rank, {.after_stops = false, .refine = false}),
      3u);
  EXPECT_EQ(
      count("T-EXTRA", Buffering::infinite, MatchRule::rank, {.fifo = false, .refine = false}), 4u);
  EXPECT_EQ(
      count("T-EXTRA", Buffering::infinite, MatchRule::endpoint, {.fifo = false, .refine = false}),
      6u);
  EXPECT_EQ(
      count("T-PRIO", Buffering::infinite, MatchRule::rank, {.priority = false, .refine = false}),
      1u);
  EXPECT_EQ(count("F5.6", Buffering::zero, MatchRule::rank, plain), 0u);
  EXPECT_EQ(
      count("F5.6", Buffering::zero, MatchRule::rank, {.sends_taken = false, .refine = false}), 1u);
}

// [P33, P51, S1-S7, S9]: the same complete matchings and the same verdict on deadlock as the
// explorer.
TEST(Encoding, agrees_with_the_explorer) {
  const std::uint64_t seeds = slow_tests() ? 10'000 : 250;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomShape shape{.tags = seed % 2 == 0};
    if (seed % 3 == 1) shape.modes = shape.collectives = shape.communicators = true;
    if (seed % 3 == 2) shape.probes = true;
    const auto program = random_program(seed, shape);
    for (const auto buffering : {Buffering::infinite, Buffering::zero}) {
      const auto outcomes = explore(program, buffering);
      if (outcomes.capped || outcomes.complete.size() > 200) continue;
      const auto where = print_compact(program) +
                         (buffering == Buffering::zero ? " zero" : " infinite") + " seed " +
                         std::to_string(seed);
      ASSERT_EQ(complete(program, buffering), outcomes.complete) << where;
      ASSERT_EQ(stuck(program, buffering), !outcomes.deadlocked.empty()) << where;
      ASSERT_EQ(complete(program, buffering, {.refine = false}), outcomes.complete) << where;
    }
  }
}

// [P33]: tags let a later message through, if the send before it does not block.
TEST(Encoding, tags_out_of_order) {
  const auto program = read("s1>1:1 s2>1:2 | r2<0:2 r1<0:1");
  EXPECT_EQ(complete(program, Buffering::infinite).size(), 1u);
  EXPECT_FALSE(stuck(program, Buffering::infinite));
  EXPECT_EQ(complete(program, Buffering::zero).size(), 0u);
  EXPECT_TRUE(stuck(program, Buffering::zero));
}

// [P38]
TEST(Encoding, sends_that_do_not_block) {
  EXPECT_EQ(complete(read("is0>1 ir0<1 w(s0,r0) | is1>0 ir1<0 w(s1,r1)"), Buffering::zero).size(),
            1u);
  EXPECT_EQ(complete(read("s0>1 ir0<1 w(r0) | s1>0 ir1<0 w(r1)"), Buffering::zero).size(), 0u);
}

}  // namespace
}  // namespace vouch::predict
