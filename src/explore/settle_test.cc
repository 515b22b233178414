// Runs of which not all was seen.

#include "explore/settle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "explore/testing/test_help.h"
#include "predict/testing/random_program.h"

namespace vouch::explore {
namespace {

using predict::Operation;
using predict::OpKind;
using predict::Program;

bool is_ask(const Operation& op) { return op.kind == OpKind::receive || op.kind == OpKind::probe; }

// What the process saw: the waits that it passed, all but its last operation if it stands there.
std::vector<bool> seen_of(const Observation& run) {
  const Program& program = run.program;
  std::vector<bool> seen(program.ops.size());
  for (OpId id = 0; id < program.ops.size(); ++id) {
    const Operation& op = program[id];
    if (op.kind == OpKind::probe) seen[id] = run.met[id] != kNoOp;
    if (op.kind != OpKind::wait) continue;
    const bool passed = std::all_of(op.completes.begin(), op.completes.end(), [&](OpId c) {
      return program[c].kind != OpKind::receive || run.met[c] != kNoOp;
    });
    for (const OpId c : op.completes) seen[c] = passed;
  }
  return seen;
}

// As records tell it (trace_program/run_builder.h): among what has one source and tag the k-th send
// meets the k-th receive that was seen to complete.
Observation as_recorded(const Observation& run) {
  Observation told = run;
  const Program& program = run.program;
  const std::vector<bool> seen = seen_of(run);
  using Key = std::tuple<int, int, int, int>;
  std::map<Key, std::vector<OpId>> sends;
  std::map<Key, std::size_t> received;
  for (OpId id = 0; id < program.ops.size(); ++id)
    if (const Operation& op = program[id]; op.kind == OpKind::send)
      sends[{op.comm, op.process, op.peer, op.tag}].push_back(id);
  for (OpId id = 0; id < program.ops.size(); ++id) {
    if (!is_ask(program[id])) continue;
    told.met[id] = kNoOp;
    if (!seen[id]) continue;
    const Operation& got = program[run.met[id]];
    const Key key{got.comm, got.process, got.peer, got.tag};
    told.met[id] = sends[key][received[key]];
    received[key] += program[id].kind == OpKind::receive;
  }
  return told;
}

// Of every receive that was seen to complete: its source and tag.
using Visible = std::vector<std::tuple<OpId, int, int>>;
Visible visible(const Observation& run, const Observation& matches) {
  Visible all;
  const std::vector<bool> seen = seen_of(run);
  for (OpId id = 0; id < seen.size(); ++id)
    if (is_ask(run.program[id]) && seen[id])
      all.emplace_back(id, run.program[matches.met[id]].process, run.program[matches.met[id]].tag);
  return all;
}

// By MPI's rules: messages of a channel go to receives in order, and a receive that goes without
// was not passed over.
std::string wrong_in(const Observation& run) {
  const Program& program = run.program;
  std::vector<bool> taken(program.ops.size());
  std::vector<OpId> without;
  for (OpId id = 0; id < program.ops.size(); ++id) {
    if (!is_ask(program[id])) continue;
    const bool probe = program[id].kind == OpKind::probe;
    const OpId send = run.met[id];
    if (send == kNoOp) {
      if (!probe) without.push_back(id);
      continue;
    }
    if (!predict::accepts(program[id], program[send])) return "it got what it does not accept";
    if (taken[send]) return "a message was received twice";
    for (OpId earlier = 0; earlier < send; ++earlier)
      if (program[earlier].kind == OpKind::send && !taken[earlier] &&
          predict::same_channel(program[earlier], program[send]) &&
          predict::accepts(program[id], program[earlier]))
        return "a message overtook another";
    for (const OpId w : without)
      if (predict::accepts(program[w], program[send])) return "a receive was passed over";
    taken[send] = !probe;
  }
  for (OpId send = 0; send < program.ops.size(); ++send)
    for (const OpId w : without)
      if (program[send].kind == OpKind::send && !taken[send] &&
          predict::accepts(program[w], program[send]))
        return "a message and a receive are left";
  return {};
}

Program program_of(std::uint64_t seed) {
  predict::RandomShape s;
  s.max_messages = 7;
  s.collectives = s.communicators = seed % 2 == 1;
  s.modes = seed % 4 > 1;
  s.probes = seed % 8 > 3;
  return predict::random_program(seed, s);
}

TEST(Settle, a_pending_receive_is_before_later_ones) {
  // The last receive from 0 waits forever: the three messages are with those before it, in order.
  SimRun run = simulate(simulated("s0>1 s1>1 s2>1 | ir3<0 ir4* ir5* w(r5) ir6<0 w(r6)"), {});
  ASSERT_TRUE(run.deadlock);
  Observation told = as_recorded(run.seen);
  EXPECT_NE(wrong_in(told), "");
  settle(told, {}, run.stands);
  EXPECT_EQ(told.met, run.seen.met);
}

TEST(Settle, what_is_seen_stays_and_the_rest_is_possible) {
  std::size_t guessed = 0;
  for (std::uint64_t seed = 1; seed <= (slow_tests() ? 1000000u : 20000u); ++seed) {
    const Program program = program_of(seed);
    SimOptions options;
    options.seed = seed;
    const SimRun run = simulate(simulated(program), options);
    ASSERT_EQ(wrong_in(run.seen), "") << predict::print_compact(program);
    Observation told = as_recorded(run.seen);
    guessed += told.met != run.seen.met;
    settle(told, {}, run.stands);
    ASSERT_EQ(wrong_in(told), "") << seed << "\n" << predict::print_compact(program);
    ASSERT_EQ(visible(run.seen, told), visible(run.seen, run.seen))
        << seed << "\n"
        << predict::print_compact(program);
  }
  EXPECT_GT(guessed, 500u);
}

// Each way a program can go, as far as anybody sees it, is found from what is seen of its runs.
class Unseen : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, Unseen, testing::Bool(),
                         [](const auto& info) { return info.param ? "match_sets" : "clocks"; });

TEST_P(Unseen, every_visible_outcome_is_reached) {
  std::size_t more = 0;
  for (std::uint64_t seed = 1; seed <= (slow_tests() ? 300000u : 2000u); ++seed) {
    const Program program = program_of(seed);
    const Simulated subject = simulated(program);
    const auto outcomes = [&](bool hidden) {
      Bounds bounds;
      bounds.match_sets = GetParam();
      Search search(Protocol::vector, bounds);
      std::set<std::pair<Visible, bool>> all;
      for (std::uint64_t n = 0; n < 3000; ++n) {
        const auto job = search.next();
        if (!job) break;
        SimOptions options;
        options.forced = job->forced;
        options.seed = seed * 1000 + n;
        SimRun run = simulate(subject, options);
        all.insert({visible(run.seen, run.seen), run.deadlock});
        if (hidden) {
          run.seen = as_recorded(run.seen);
          run.seen.cut = run.deadlock;
          settle(run.seen, job->forced, run.stands);
        }
        EXPECT_NE(search.done(*job, run.seen), Search::Fit::diverged) << seed;
      }
      return all;
    };
    const auto truth = outcomes(false);
    more += truth.size() > 1;
    ASSERT_EQ(outcomes(true), truth) << seed << "\n" << predict::print_compact(program);
  }
  EXPECT_GT(more, 20u);
}

// The library stopped rank 0 in its receive: that it got a message is known, though it never
// returned.
TEST(Settle, what_a_schedule_tells_was_taken) {
  Observation run;
  run.program = *predict::parse("r0* r1* | s0>0 | s1>0");
  run.met.assign(run.program.ops.size(), kNoOp);
  std::vector<bool> stands{true, false, false};
  const auto first = run.program.first[0];
  Observation told = run;
  take_known(told, *policy::parse_schedule("A0=2"), stands);
  ASSERT_NE(told.met[first], kNoOp);
  EXPECT_EQ(told.program[told.met[first]].process, 2);
  EXPECT_FALSE(stands[0]);
  stands[0] = true;
  told = run;
  take_known(told, *policy::parse_schedule("A"), stands);
  EXPECT_EQ(told.met[first], kNoOp);
  EXPECT_TRUE(stands[0]);
}

}  // namespace
}  // namespace vouch::explore
