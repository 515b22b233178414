// Trying a rank alone: which runs allow it, when messages can be there, and what becomes of the
// search.

#include "explore/alone.h"

#include <gtest/gtest.h>

#include "explore/testing/examples.h"
#include "explore/testing/test_help.h"
#include "predict/testing/random_program.h"

namespace vouch::explore {
namespace {

using predict::kAny;
using predict::Operation;
using predict::OpKind;

// What a copy of the rank does (shim/solo/solo_calls.cc), for ranks that wait for each receive at
// once.
class Model {
 public:
  Model(const Observation& run, const AlonePlan& plan)
      : program_(run.program), plan_(plan), taken_(plan.messages.size()) {}
  // Ways to the end, and ways on which it is stuck.
  std::pair<std::size_t, std::size_t> count() {
    go(program_.first[plan_.rank], 0, 0, false);
    return {ended_, stuck_};
  }

 private:
  void go(OpId at, std::uint32_t position, int event, bool counting) {
    for (; at < program_.first[plan_.rank + 1]; ++at) {
      const Operation& op = program_[at];
      if (is_event(op) && static_cast<std::uint32_t>(event) == plan_.first) counting = true;
      if (op.kind == OpKind::send || op.kind == OpKind::sync) position += counting;
      if (op.kind != OpKind::receive) continue;
      bool any = false;
      for (std::size_t m = 0; m < taken_.size(); ++m) {
        if (!first(op, m, position)) continue;
        any = true;
        taken_[m] = true;
        go(at + 1, position, event + is_event(op), counting);
        taken_[m] = false;
      }
      stuck_ += !any;
      return;
    }
    ++ended_;
  }
  bool first(const Operation& op, std::size_t m, std::uint32_t position) const {
    const auto& message = plan_.messages[m];
    const auto fits = [&](const AlonePlan::Message& other) {
      return (op.peer == kAny || op.peer == other.source) &&
             (op.tag == kAny || op.tag == other.tag);
    };
    if (taken_[m] || message.need > position || !fits(message)) return false;
    for (std::size_t k = 0; k < taken_.size(); ++k)
      if (!taken_[k] && plan_.messages[k].source == message.source && fits(plan_.messages[k]) &&
          plan_.messages[k].order < message.order)
        return false;
    return true;
  }

  const predict::Program& program_;
  const AlonePlan& plan_;
  std::vector<bool> taken_;
  std::size_t ended_ = 0, stuck_ = 0;
};

Result<AlonePlan> plan_of(const Simulated& program, std::uint64_t seed, Observation& seen) {
  SimOptions options;
  options.seed = seed;
  seen = simulate(program, options).seen;
  return plan_alone(seen, analyse(seen, Protocol::vector), {});
}

void expect(const char* text, std::size_t ended, std::size_t stuck = 0) {
  for (std::uint64_t seed = 1; seed < 8; ++seed) {
    Observation seen;
    const auto plan = plan_of(simulated(text), seed, seen);
    if (!plan.ok()) continue;  // this order was stuck itself
    const auto [all, blocked] = Model(seen, plan.value()).count();
    EXPECT_EQ(all, ended) << text;
    EXPECT_EQ(blocked, stuck) << text;
  }
}

TEST(Alone, as_many_as_there_are) {
  expect("r0* r1* r2* | s0>0 | s1>0 | s2>0", 6);
  expect("r0* r1* b r2* r3* | s0>0 b s1>0 | s2>0 b s3>0", 4);
  expect("r0* s0>1:5 r1* r2* r3* | s1>0 r4<0:5 s2>0 | s3>0 | s4>0", 12);
  expect("r0* s0>2:1 r1* | s1>0 | r2<0:1 s2>0", 1);
  expect("r0* r1<2 | s0>0 | s1>0", 1, 1);
  expect("r0* bcast(0) r1* r2* | s0>0 bcast(0) | bcast(0) s1>0 | s2>0 bcast(0)", 4);
}

TEST(Alone, runs_that_do_not_allow_it) {
  Observation seen;
  EXPECT_FALSE(plan_of(simulated("r0* r1* | s0>0 | s1>0 | r2* r3* | s2>3 | s3>3"), 1, seen).ok());
  EXPECT_FALSE(plan_of(simulated("r0* | s0>0 | s1>0"), 1, seen).ok());        // one is left over
  EXPECT_FALSE(plan_of(simulated("r0* r1* | s0>>0 | s1>0"), 1, seen).ok());   // synchronous
  EXPECT_FALSE(plan_of(simulated("r0<1 r1<2 | s0>0 | s1>0"), 1, seen).ok());  // no choice
}

TEST(Alone, random_programs) {
  const int programs = slow_tests() ? 5000 : 300;
  predict::RandomShape shape;
  shape.max_messages = 6;
  int tried = 0;
  for (int seed = 1; seed <= programs; ++seed) {
    const auto program = predict::random_program(static_cast<std::uint64_t>(seed), shape);
    const Simulated simulated_program = simulated(program);
    Observation seen;
    const auto plan = plan_of(simulated_program, static_cast<std::uint64_t>(seed), seen);
    if (!plan.ok()) continue;
    // The model waits for each receive at once.
    bool blocking = true;
    for (OpId id = 0; id < seen.program.ops.size(); ++id)
      if (seen.program[id].kind == OpKind::receive)
        blocking &= id + 1 < seen.program.ops.size() && seen.program[id].wait == id + 1;
    for (const Operation& op : seen.program.ops) blocking &= op.kind != OpKind::probe;
    if (!blocking) continue;
    ++tried;
    const auto [ended, stuck] = Model(seen, plan.value()).count();
    ASSERT_EQ(ended + stuck, all_outcomes(simulated_program).size())
        << seed << "\n"
        << predict::print_compact(program);
  }
  EXPECT_GT(tried, programs / 100);
}

// What is proved is not run, what is not like the run is, and what that one shows besides.
TEST(Alone, search) {
  const Simulated program = simulated("r0* r1* r2* | s0>0 | s1>0 | s2>0");
  Search search(Protocol::vector, {});
  const auto job = search.next();
  const SimRun run = simulate(program, {});
  ASSERT_EQ(search.done(*job, run.seen), Search::Fit::accepted);
  EXPECT_EQ(search.open(), 3u);
  // Rank 0 gets 3, 2, 1 in two schedules that begin otherwise than this one (1 ...).
  const Decisions path{decided(run.seen, {0, 0}, 3), decided(run.seen, {0, 1}, 2)};
  ASSERT_TRUE(search.prove(*job, {path}));
  EXPECT_EQ(search.open(), 1u);
  const auto next = search.next();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->forced, path);
  SimOptions options;
  options.forced = next->forced;
  EXPECT_EQ(search.done(*next, simulate(program, options).seen), Search::Fit::accepted);
  EXPECT_TRUE(search.exhausted());
  EXPECT_EQ(search.runs(), 2u);
}

TEST(Alone, stuck_without_buffers) {
  Observation seen;
  ASSERT_TRUE(plan_of(simulated("r0* r1* r2* | s0>0 | s1>0 | s2>0"), 1, seen).ok());
  EXPECT_TRUE(never_stuck(seen, 10));
  ASSERT_TRUE(plan_of(simulated("r0* s9>1:5 r1* | s0>0 r5<0:5 | s1>0"), 1, seen).ok());
  EXPECT_FALSE(never_stuck(seen, 10));  // 1 and 0 send to each other if 2 comes first
}

}  // namespace
}  // namespace vouch::explore
