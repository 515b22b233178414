// Random programs: what exploration reaches is what trying everything finds.

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/test_help.h"
#include "predict/explorer.h"
#include "predict/random_program.h"

namespace vouch::explore {
namespace {

using predict::Buffering;
using predict::Match;
using predict::Program;

struct Case {
  const char* name;
  predict::RandomShape shape;
};

// By the explorer of prediction, which shares no code with simulation and search.
using Matching = std::set<std::pair<std::vector<Match>, bool>>;
Matching truth_of(const Program& program) {
  const auto all = predict::explore(program, Buffering::infinite);
  Matching found;
  for (const auto& m : all.complete) found.insert({m, false});
  for (const auto& m : all.deadlocked) found.insert({m, true});
  return found;
}

Matching as_matching(const Program& program, const std::set<SimOutcome>& outcomes) {
  Matching found;
  for (const SimOutcome& o : outcomes) {
    std::vector<Match> matches;
    for (int p = 0; p < program.processes(); ++p) {
      std::size_t at = 0;
      for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
        const bool probe = program[id].kind == predict::OpKind::probe;
        if (!probe && program[id].kind != predict::OpKind::receive) continue;
        if (at >= o.matches[static_cast<std::size_t>(p)].size()) break;
        const auto [source, send] = o.matches[static_cast<std::size_t>(p)][at++];
        if (!probe && source >= 0)
          matches.push_back({id, program.first[source] + static_cast<OpId>(send)});
      }
    }
    std::sort(matches.begin(), matches.end());
    found.insert({std::move(matches), o.deadlock});
  }
  return found;
}

class Random : public testing::TestWithParam<Case> {};

TEST_P(Random, vector_clocks_reach_every_outcome_once) {
  const int programs = slow_tests() ? 5000 : 150;
  std::size_t runs = 0, unplaced = 0;
  for (int seed = 1; seed <= programs; ++seed) {
    const Program program =
        predict::random_program(static_cast<std::uint64_t>(seed), GetParam().shape);
    const Explored all =
        explore_all(simulated(program), Protocol::vector, static_cast<std::uint64_t>(seed));
    runs += all.runs;
    unplaced += all.unplaced;
    ASSERT_EQ(all.unforced, 0u) << seed << "\n" << predict::print_compact(program);
    ASSERT_EQ(all.diverged, 0u) << seed << "\n" << predict::print_compact(program);
    ASSERT_EQ(all.repeated, 0u) << seed << "\n" << predict::print_compact(program);
    ASSERT_TRUE(as_matching(program, all.outcomes) == truth_of(program))
        << seed << "\n"
        << predict::print_compact(program);
  }
  RecordProperty("runs", static_cast<int>(runs));
  RecordProperty("unplaced", static_cast<int>(unplaced));
}

TEST_P(Random, lamport_clocks_force_nothing_impossible) {
  const int programs = slow_tests() ? 5000 : 150;
  for (int seed = 1; seed <= programs; ++seed) {
    const Program program =
        predict::random_program(static_cast<std::uint64_t>(seed), GetParam().shape);
    const Explored all =
        explore_all(simulated(program), Protocol::lamport, static_cast<std::uint64_t>(seed));
    ASSERT_EQ(all.unforced, 0u) << seed << "\n" << predict::print_compact(program);
    const auto reached = as_matching(program, all.outcomes), truth = truth_of(program);
    ASSERT_TRUE(std::includes(truth.begin(), truth.end(), reached.begin(), reached.end()))
        << seed << "\n"
        << predict::print_compact(program);
  }
}

Case plain() {
  Case c{"plain", {}};
  c.shape.max_messages = 7;
  return c;
}
Case rich() {
  Case c{"rich", {}};
  c.shape.max_messages = 6;
  c.shape.collectives = true;
  c.shape.communicators = true;
  return c;
}
Case synchronous() {
  Case c{"synchronous", {}};
  c.shape.max_messages = 6;
  c.shape.modes = true;
  return c;
}
Case probing() {
  Case c{"probing", {}};
  c.shape.max_messages = 5;
  c.shape.probes = true;
  return c;
}
Case wild() {
  Case c{"wild", {}};
  c.shape.max_messages = 7;
  c.shape.wildcards_only = true;
  return c;
}

INSTANTIATE_TEST_SUITE_P(Programs, Random,
                         testing::Values(plain(), rich(), synchronous(), probing(), wild()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace vouch::explore
