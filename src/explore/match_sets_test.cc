// Match-sets give the same choices as vector clocks, and lead to every outcome.

#include "explore/match_sets.h"

#include <gtest/gtest.h>

#include <set>

#include "explore/examples.h"
#include "explore/test_help.h"
#include "predict/random_program.h"

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

}  // namespace
}  // namespace vouch::explore
