// The quick stages of the deadlock question: counting machine, circular dependencies, starving
// receives, steered runs.

#include <algorithm>
#include <string>

#include "predict/pairs/counting.h"
#include "predict/quick/starvation.h"
#include "predict/quick/steer.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/cycles.h"
#include "predict/testing/families.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

std::string names(const Program& program, std::vector<OpId> ops) {
  std::string text;
  for (OpId op : ops) text += (text.empty() ? "" : " ") + program[op].name;
  return text;
}

CountingMachine counted(const Program& program, std::initializer_list<const char*> pt) {
  CountingMachine machine(program);
  for (const auto* name : pt) machine.suspend(program.find(name));
  machine.run();
  return machine;
}

// (5.1) of the dissertation: nothing is left over for any receive of the instance.
bool nothing_left(const Program& program, const CountingMachine& machine,
                  const std::vector<OpId>& pt) {
  return std::all_of(pt.begin(), pt.end(), [&](OpId r) {
    const auto& op = program[r];
    return machine.sent(op.process, op.peer) <= machine.received(op.process, op.peer);
  });
}

// [P39]
TEST(Counting, figure_5_2) {
  const auto program = read(fixture("F5.2"));
  const auto machine = counted(program, {"r0", "r2", "r3"});
  for (const auto* name : {"r0", "r2", "r3"}) EXPECT_TRUE(machine.stopped_at(program.find(name)));
  EXPECT_EQ(machine.sent(1, 0), 1u);
  EXPECT_EQ(machine.sent(1), 1u);
  EXPECT_EQ(machine.received(1), 1u);
  EXPECT_TRUE(
      nothing_left(program, machine, {program.find("r0"), program.find("r2"), program.find("r3")}));
}

std::vector<std::string> instances(const Program& program, const MatchPairs& pairs) {
  std::vector<std::string> found;
  EXPECT_EQ(circular_dependencies(program, pairs,
                                  [&](const auto& receives) {
                                    found.push_back(names(program, receives));
                                    return true;
                                  }),
            CycleEnd::all);
  return found;
}

// [P40]
TEST(Cycles, graph_of_figure_5_2) {
  const auto program = read(fixture("F5.2"));
  const auto pairs = match_pairs(program);
  const DependencyGraph graph(program, pairs);
  EXPECT_EQ(graph.vertices, 8u);
  EXPECT_EQ(graph.match_edges, 4u);
  EXPECT_EQ(graph.order_edges, 4u);
  const auto edges = [&](const char* name) {
    return names(program, graph.next[program.find(name)]);
  };
  EXPECT_EQ(edges("s3"), "r0");
  EXPECT_EQ(edges("s0"), "r1");
  EXPECT_EQ(edges("s1"), "r2");
  EXPECT_EQ(edges("s2"), "r3");
  EXPECT_EQ(edges("r0"), "s1");
  EXPECT_EQ(edges("r1"), "s2");
  EXPECT_EQ(edges("r2"), "s2");
  EXPECT_EQ(edges("r3"), "s3");
  EXPECT_EQ(instances(program, pairs), std::vector<std::string>{"r0 r2 r3"});
}

// [P42]
TEST(Cycles, figure_5_6_has_an_instance_only_with_coarse_pairs) {
  const auto program = read(fixture("F5.6"));
  EXPECT_TRUE(instances(program, match_pairs(program, MatchRule::rank)).empty());
  const auto found = instances(program, match_pairs(program, MatchRule::endpoint));
  EXPECT_EQ(found, std::vector<std::string>{"r0 r1 r2"});
  const auto machine = counted(program, {"r0", "r1", "r2"});
  EXPECT_EQ(machine.sent(1), 1u);
  EXPECT_EQ(machine.received(1), 0u);
  EXPECT_FALSE(nothing_left(program, machine, {program.find("r1")}));
}

// [P50]
TEST(Cycles, are_streamed_and_their_limit_is_told) {
  const auto program = circular(51, 2, 30);
  const auto pairs = match_pairs(program, MatchRule::endpoint);
  std::size_t count = 0;
  const auto counting = [&](const std::vector<OpId>& receives) {
    ++count;
    return receives.size() == 3;
  };
  EXPECT_EQ(circular_dependencies(program, pairs, counting), CycleEnd::all);
  EXPECT_EQ(count, 51u * 51 * 51);
  count = 0;
  EXPECT_EQ(circular_dependencies(program, pairs, counting, {.cycles = 1000}), CycleEnd::limit);
  EXPECT_EQ(count, 1000u);
  const auto one = [](const std::vector<OpId>&) { return false; };
  EXPECT_EQ(circular_dependencies(program, pairs, one), CycleEnd::stopped);
}

// All cycles without a process twice, by trying everything.
void all_cycles(const Program& program, const std::vector<std::vector<OpId>>& next,
                std::vector<OpId>& path, std::vector<std::string>& found) {
  for (OpId to : next[path.back()]) {
    if (to == path.front()) found.push_back(names(program, path));
    const bool later = program[to].process > program[path.front()].process;
    const bool free = std::none_of(path.begin(), path.end(), [&](OpId r) {
      return program[r].process == program[to].process;
    });
    if (!later || !free) continue;
    path.push_back(to);
    all_cycles(program, next, path, found);
    path.pop_back();
  }
}

TEST(Cycles, none_is_lost_or_found_twice) {
  RandomShape shape;
  shape.max_processes = 6;
  shape.max_messages = 16;
  std::size_t total = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto program = random_program(seed, shape);
    const auto pairs = match_pairs(program, MatchRule::endpoint);
    const DependencyGraph graph(program, pairs);
    std::vector<std::vector<OpId>> next(program.ops.size());
    std::vector<std::string> expected;
    for (OpId r : program.all(OpKind::receive)) {
      std::set<OpId> reached;
      for (OpId s : graph.next[r]) reached.insert(graph.next[s].begin(), graph.next[s].end());
      next[r].assign(reached.begin(), reached.end());
    }
    for (OpId r : program.all(OpKind::receive)) {
      std::vector<OpId> path{r};
      std::erase_if(next[r], [&](OpId to) { return program[to].process == program[r].process; });
      all_cycles(program, next, path, expected);
    }
    auto found = instances(program, pairs);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected) << print_compact(program);
    total += found.size();
  }
  EXPECT_GT(total, 300u);
}

// [P49]
TEST(Counting, stuck_without_an_instance_means_always) {
  for (const auto* name : {"F5.2", "T-RING", "T-WCIRC", "F3.2w", "T-SELF"})
    EXPECT_TRUE(always_deadlocks(read(fixture(name)))) << name;
  for (const auto* name : {"F5.8", "F4.1", "T-FORCED"})
    EXPECT_FALSE(always_deadlocks(read(fixture(name)))) << name;
}

TEST(Counting, is_never_stuck_where_an_execution_ends) {
  RandomShape shape;
  shape.modes = shape.collectives = shape.probes = shape.communicators = true;
  int stuck = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto program = random_program(seed, shape);
    if (!always_deadlocks(program)) continue;
    ++stuck;
    for (auto buffering : {Buffering::infinite, Buffering::zero})
      EXPECT_TRUE(explore(program, buffering).complete.empty()) << print_compact(program);
  }
  EXPECT_GT(stuck, 100);
}

std::string open_candidates(const Program& program, const MatchPairs& pairs) {
  auto candidates = starvation_candidates(program, pairs);
  refute(program, candidates);
  std::vector<OpId> open;
  for (const auto& one : candidates)
    if (!one.refuted) open.push_back(one.receive);
  return names(program, open);
}

// [P43, P44, P45, P46, P47]: candidates, before any validation.
TEST(Starvation, candidates_of_the_fixtures) {
  const auto of = [](std::string_view name) {
    const auto program = read(fixture(name));
    return open_candidates(program, match_pairs(program));
  };
  EXPECT_EQ(of("F5.8"), "r1");
  EXPECT_EQ(of("F5.9"), "r1");
  EXPECT_EQ(of("F4.1"), "r2");
  EXPECT_EQ(of("T-CHAIN"), "r2");
  EXPECT_EQ(of("F2.9"), "");
  EXPECT_EQ(of("F2.1"), "");
}

// [P54], without the solver.
TEST(Starvation, mismatch_is_decided_by_counting_and_one_run) {
  const auto program = mismatch(100, 4);
  auto candidates = starvation_candidates(program, match_pairs(program));
  EXPECT_EQ(candidates.size(), 100u);
  refute(program, candidates);
  const auto first = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& one) { return !one.refuted; });
  EXPECT_EQ(first - candidates.begin(), 98);
  const auto run = steer(program, Buffering::infinite, {.starve = first->receive});
  EXPECT_EQ(run.end, End::deadlock);
  EXPECT_EQ(replay(program, Buffering::infinite, run.schedule).value().end, End::deadlock);
}

// The claim at the head of starvation.h.
TEST(Starvation, without_candidates_there_is_no_deadlock) {
  RandomShape shape;
  shape.collectives = shape.probes = shape.communicators = true;
  const std::uint64_t count = slow_tests() ? 100'000 : 3000;
  int free = 0, refuted = 0, deadlocks = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto program = random_program(seed, shape);
    if (always_deadlocks(program)) continue;
    // Both forms of candidates, one after the other.
    auto candidates = seed % 2 == 0 ? starvation_candidates(program)
                                    : starvation_candidates(program, match_pairs(program));
    const bool had = !candidates.empty();
    refute(program, candidates);
    const bool open = std::any_of(candidates.begin(), candidates.end(),
                                  [](const Candidate& one) { return !one.refuted; });
    const auto outcomes = explore(program, Buffering::infinite);
    deadlocks += !outcomes.deadlocked.empty();
    if (open) continue;
    ++free;
    refuted += had;
    EXPECT_TRUE(outcomes.deadlocked.empty()) << print_compact(program);
  }
  EXPECT_GT(free, 500);
  EXPECT_GT(refuted, 20);
  EXPECT_GT(deadlocks, 20);
}

TEST(Steer, every_run_replays) {
  RandomShape shape;
  shape.modes = shape.collectives = shape.probes = shape.communicators = true;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const auto program = random_program(seed, shape);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      Steering steering{.seed = seed % 3};
      const auto receives = program.all(OpKind::receive);
      if (!receives.empty() && seed % 2 == 0) steering.starve = receives[seed % receives.size()];
      const auto run = steer(program, buffering, steering);
      const auto replayed = replay(program, buffering, run.schedule);
      ASSERT_TRUE(replayed.ok()) << replayed.error() << '\n' << print_compact(program);
      EXPECT_EQ(replayed.value().end, run.end) << print_compact(program);
    }
  }
}

TEST(Steer, finds_most_deadlocks_of_candidates) {
  RandomShape shape;
  int found = 0, there = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto program = random_program(seed, shape);
    const auto outcomes = explore(program, Buffering::infinite);
    if (outcomes.complete.empty() || outcomes.deadlocked.empty()) continue;
    ++there;
    for (const auto& one : starvation_candidates(program, match_pairs(program)))
      if (steer(program, Buffering::infinite, {.starve = one.receive}).end == End::deadlock) {
        ++found;
        break;
      }
  }
  EXPECT_GT(there, 20);
  EXPECT_GT(found * 10, there * 8) << found << " of " << there;
}

}  // namespace
}  // namespace vouch::predict
