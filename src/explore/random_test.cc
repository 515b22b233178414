// Random programs: what exploration reaches is what trying everything finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "explore/testing/test_help.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/random_program.h"

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

// [E30, E31, E49]
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
    ASSERT_EQ(all.different, 0u) << seed << "\n" << predict::print_compact(program);
    ASSERT_EQ(all.diverged, 0u) << seed << "\n" << predict::print_compact(program);
    ASSERT_EQ(all.repeated, 0u) << seed << "\n" << predict::print_compact(program);
    ASSERT_TRUE(as_matching(program, all.outcomes) == truth_of(program))
        << seed << "\n"
        << predict::print_compact(program);
  }
  RecordProperty("runs", static_cast<int>(runs));
  RecordProperty("unplaced", static_cast<int>(unplaced));
}

// [E4, E49]
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

// ---- programs that act on whom they heard from ----
struct Step {
  enum class What : std::uint8_t { send, receive, ireceive, wait, barrier };
  What what = What::send;
  int peer = 0, tag = 0;
  int only = -1;  // 0, 1: only if the latest source was even, odd
};

Task follow(Rank& me, std::vector<Step> steps) {
  int latest = 0;
  std::vector<std::size_t> pending;
  for (const Step& step : steps) {
    if (step.only >= 0 && latest % 2 != step.only) continue;
    if (step.what == Step::What::send) co_await me.send(step.peer, step.tag);
    if (step.what == Step::What::barrier) co_await me.sync();
    if (step.what == Step::What::ireceive) pending.push_back(me.ireceive(step.peer, step.tag));
    if (step.what == Step::What::receive) {
      const Seen m = co_await me.receive(step.peer, step.tag);
      latest = m.source;
    }
    if (step.what == Step::What::wait && !pending.empty()) {
      const Seen m = co_await me.wait(pending.front());
      latest = m.source;
      pending.erase(pending.begin());
    }
  }
}

Simulated branching_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int ranks = 3 + below(2), messages = 4 + below(4), hot = below(ranks);
  std::vector<std::vector<Step>> steps(static_cast<std::size_t>(ranks));
  for (int m = 0; m < messages; ++m) {
    const int from = below(ranks), tag = below(4) == 0 ? 1 : 0;
    int to = below(2) == 0 ? hot : below(ranks);
    if (to == from) to = (from + 1) % ranks;
    const int only = below(3) == 0 ? below(2) : -1;
    const auto insert = [&](int rank, Step step) {
      auto& list = steps[static_cast<std::size_t>(rank)];
      const std::size_t from = step.what == Step::What::send ? 0 : list.size() * 2 / 3;
      const std::size_t at = from + random() % (list.size() - from + 1);
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), step);
    };
    insert(from, {Step::What::send, to, tag, only});
    const int source = below(4) == 0 ? from : predict::kAny;
    const int filter = below(5) == 0 ? predict::kAny : tag;
    const bool pends = below(3) == 0;
    insert(to, {pends ? Step::What::ireceive : Step::What::receive, source, filter, -1});
    if (pends) steps[static_cast<std::size_t>(to)].push_back({Step::What::wait, 0, 0, -1});
  }
  if (below(4) == 0)
    for (auto& list : steps)
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(random() % (list.size() + 1)),
                  {Step::What::barrier, 0, 0, -1});
  Simulated program;
  for (const auto& list : steps)
    program.ranks.push_back([list](Rank& me) { return follow(me, list); });
  return program;
}

TEST(Branching, vector_clocks_reach_every_outcome_once) {
  const std::uint64_t programs = slow_tests() ? 5000 : 300;
  std::size_t all_runs = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Simulated program = branching_program(seed);
    const auto truth = all_outcomes(program);
    const Explored all = explore_all(program, Protocol::vector, seed);
    ASSERT_EQ(all.unforced, 0u) << seed;
    ASSERT_EQ(all.diverged, 0u) << seed;
    ASSERT_EQ(all.repeated, 0u) << seed;
    ASSERT_TRUE(all.outcomes == truth) << seed;
    ASSERT_EQ(all.runs, truth.size()) << seed;
    all_runs += all.runs;
  }
  EXPECT_GT(2 * all_runs, 3 * programs);  // there was something to explore
}

TEST(Branching, lamport_clocks_force_nothing_impossible) {
  const std::uint64_t programs = slow_tests() ? 5000 : 300;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Simulated program = branching_program(seed);
    const auto truth = all_outcomes(program);
    const Explored all = explore_all(program, Protocol::lamport, seed);
    ASSERT_EQ(all.unforced, 0u) << seed;
    for (const SimOutcome& o : all.outcomes) ASSERT_TRUE(truth.count(o)) << seed;
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
