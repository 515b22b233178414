// Match-sets give the same choices as vector clocks, and lead to every outcome.

#include "explore/poe.h"

#include <gtest/gtest.h>

#include <set>

#include "explore/testing/examples.h"
#include "explore/testing/test_help.h"
#include "predict/testing/random_program.h"

namespace vouch::explore {
namespace {

using predict::Buffering;

std::set<std::pair<EventId, int>> alternatives(const Analysed& all) {
  std::set<std::pair<EventId, int>> found;
  for (const Event& e : all.events)
    for (const Alternative& a : e.alternatives) found.emplace(e.id, a.source);
  return found;
}

void compare(const Simulated& program, std::uint64_t seed, Buffering buffering,
             const std::string& what) {
  SimOptions options;
  options.seed = seed;
  options.buffering = buffering;
  Observation seen = simulate(program, options).seen;
  if (buffering == Buffering::zero) seen = unbuffered(std::move(seen), true);
  const Analysed clocks = analyse(seen, Protocol::vector);
  Analysed sets = clocks;
  use_match_sets(seen, buffering, sets);
  ASSERT_EQ(alternatives(sets), alternatives(clocks)) << what;
}

// [E26, E28]
TEST(MatchSets, same_as_vector_clocks) {
  for (const Simulated& program : {crooked_barrier(), late_prefix(), n_receives(2, 3), phases(2, 2),
                                   matmul(2, 3), probe_loop(3)})
    for (std::uint64_t seed = 1; seed < 5; ++seed)
      compare(program, seed, Buffering::infinite, "example");
}

TEST(MatchSets, same_as_vector_clocks_on_random_programs) {
  const int programs = slow_tests() ? 5000 : 300;
  predict::RandomShape shape;
  shape.max_messages = 6;
  shape.modes = true;
  for (const Buffering buffering : {Buffering::infinite, Buffering::zero})
    for (int seed = 1; seed <= programs; ++seed) {
      const auto program = predict::random_program(static_cast<std::uint64_t>(seed), shape);
      compare(simulated(program), static_cast<std::uint64_t>(seed), buffering,
              std::to_string(seed) + "\n" + predict::print_compact(program));
      if (HasFatalFailure()) return;
    }
}

// A whole exploration by match-sets: every outcome once, with and without buffers.
void expect_all(const Simulated& program, Buffering buffering, const std::string& what,
                std::size_t runs = 0) {
  Bounds bounds;
  bounds.match_sets = true;
  if (buffering == Buffering::zero) bounds.sends = Bounds::Sends::all_synchronous;
  Search search(Protocol::vector, bounds);
  std::set<SimOutcome> outcomes;
  std::size_t count = 0;
  for (auto job = search.next(); job && count < 5000; job = search.next(), ++count) {
    SimOptions options;
    options.forced = job->forced;
    options.buffering = buffering;
    options.seed = count + 1;
    const SimRun run = simulate(program, options);
    ASSERT_EQ(search.done(*job, run.seen), Search::Fit::accepted) << what;
    ASSERT_TRUE(outcomes.insert(outcome_of(run)).second) << what;  // none twice
  }
  ASSERT_TRUE(outcomes == all_outcomes(program, buffering)) << outcomes.size() << " " << what;
  if (runs > 0) {
    EXPECT_EQ(outcomes.size(), runs) << what;
  }
}

TEST(MatchSets, examples) {
  expect_all(crooked_barrier(), Buffering::infinite, "T1", 2);
  expect_all(simulated("s0>1 | r0* r1<2 | s2>1"), Buffering::infinite, "T5", 2);
  expect_all(simulated("r0* s0>2 | s1>0 s2>2 | r2* r3<0"), Buffering::infinite, "T12", 2);
  const char* t14 = "ir0*:2 ir1*:3 r2*:2 r3*:3 w(r0) w(r1) | s0>0:2 s1>0:3 | s2>0:3 s3>0:2";
  expect_all(simulated(t14), Buffering::infinite, "T14", 4);
  expect_all(simulated(t14), Buffering::zero, "T14", 3);
  expect_all(phases(3, 2), Buffering::infinite, "T18", 36);
  expect_all(simulated("is0>1 w ir0<1 w | is1>0 w ir1<0 w"), Buffering::zero, "T3", 1);
  expect_all(simulated("r0* r1* | s0>0 s1>2 | r2<1 s2>0"), Buffering::infinite, "T9", 2);
  expect_all(simulated("r0* r1* | s0>0 s1>2 | r2<1 s2>0"), Buffering::zero, "T9", 1);
}

// [E23]
TEST(MatchSets, every_outcome_of_random_programs) {
  const int programs = slow_tests() ? 5000 : 200;
  predict::RandomShape shape;
  shape.max_messages = 6;
  shape.modes = true;
  for (const Buffering buffering : {Buffering::infinite, Buffering::zero})
    for (int seed = 1; seed <= programs; ++seed) {
      const auto program = predict::random_program(static_cast<std::uint64_t>(seed), shape);
      expect_all(simulated(program), buffering,
                 std::to_string(seed) + "\n" + predict::print_compact(program));
      if (HasFatalFailure()) return;
    }
}

TEST(MatchSets, barriers) {
  const auto irrelevant = [](const Simulated& program) {
    Barriers all;
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      SimOptions options;
      options.seed = seed;
      all.add(simulate(program, options).seen);
    }
    return all.irrelevant().size();
  };
  EXPECT_EQ(irrelevant(crooked_barrier()), 1u);
  EXPECT_EQ(irrelevant(phases(2, 2)), 0u);  // all at one place, and one of them matters
}

}  // namespace
}  // namespace vouch::explore
