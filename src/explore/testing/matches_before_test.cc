// [E1]: each rule of matches-before, what follows from them, and clocks against the definition.

#include "explore/testing/matches_before.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/clocks.h"
#include "explore/testing/sim.h"
#include "explore/testing/test_help.h"
#include "predict/testing/random_program.h"

namespace vouch::explore {
namespace {

struct Seen1 {
  Observation run;
  MatchesBefore order;
  explicit Seen1(const char* text) : run(simulate(simulated(text)).seen), order(run) {}
  // The n-th operation of a process; a blocking receive is two, itself and its wait.
  OpId at(int process, int n) const { return run.program.first[process] + static_cast<OpId>(n); }
  bool before(int p, int a, int q, int b) const { return order.before(at(p, a), at(q, b)); }
};

// [C1, E2]
TEST(MatchesBefore, c1_behind_what_blocks) {
  const Seen1 sync("s0>>1 s1>1:7 | r0<0 r1<0:7");
  EXPECT_TRUE(sync.before(0, 0, 0, 1));
  EXPECT_TRUE(sync.before(1, 0, 1, 2));  // a blocking receive and the next
  const Seen1 plain("s0>1 s1>1:7 | r0<0 r1<0:7");
  EXPECT_FALSE(plain.before(0, 0, 0, 1));  // [E2]: a standard send keeps nothing
  const Seen1 barrier("b s0>1 | b r0<0");
  EXPECT_TRUE(barrier.before(0, 0, 0, 1));
  const Seen1 wait("ir0<1 w(0) s0>1:3 | s1>0 r1<0:3");
  EXPECT_TRUE(wait.before(0, 1, 0, 2));
}

// [C2]
TEST(MatchesBefore, c2_a_receive_and_its_wait) {
  const Seen1 seen("ir0<1 s0>1:3 w(0) | s1>0 r1<0:3");
  EXPECT_TRUE(seen.before(0, 0, 0, 2));
  EXPECT_FALSE(seen.before(0, 0, 0, 1));  // not before what is issued meanwhile
}

// [C3]
TEST(MatchesBefore, c3_sends_of_one_channel) {
  const Seen1 seen("s0>1 s1>1 s2>1:9 s3>2 | r0<0 r1<0 r2<0:9 | r3<0");
  EXPECT_TRUE(seen.before(0, 0, 0, 1));
  EXPECT_FALSE(seen.before(0, 1, 0, 2));  // another tag
  EXPECT_FALSE(seen.before(0, 1, 0, 3));  // another destination
}

// [C4]
TEST(MatchesBefore, c4_receives_that_fit_one_message) {
  const Seen1 any("ir0* ir1<1 w(0) w(1) | s0>0 s1>0");
  EXPECT_TRUE(any.before(0, 0, 0, 1));  // from any before from one
  const Seen1 same("ir0<1 ir1<1 w(0) w(1) | s0>0 s1>0");
  EXPECT_TRUE(same.before(0, 0, 0, 1));
  const Seen1 others("ir0<1 ir1<2 w(0) w(1) | s0>0 | s1>0");
  EXPECT_FALSE(others.before(0, 0, 0, 1));
  const Seen1 tags("ir0*:3 ir1*:4 w(0) w(1) | s0>0:3 s1>0:4");
  EXPECT_FALSE(tags.before(0, 0, 0, 1));
}

// [C4]
TEST(MatchesBefore, c4_once_the_source_is_known) {
  // From 1 before from any, if that got a message of 1.
  const Seen1 same("ir0<1 ir1* w(0) w(1) | s0>0 s1>0");
  EXPECT_TRUE(same.before(0, 0, 0, 1));
  const Seen1 other("ir0<1 ir1* w(0) w(1) | s0>0 | s1>0");
  EXPECT_FALSE(other.before(0, 0, 0, 1));
  // Any tag comes before every later one; a tag before any tag if that one was got.
  const Seen1 any_tag("ir0*:* ir1*:4 w(0) w(1) | s0>0:3 s1>0:4");
  EXPECT_TRUE(any_tag.before(0, 0, 0, 1));
  const Seen1 got("ir0*:3 ir1*:* w(0) w(1) | s0>0:3 s1>0:3");
  EXPECT_TRUE(got.before(0, 0, 0, 1));
  const Seen1 got_other("ir0*:3 ir1*:* w(0) w(1) | s0>0:3 s1>0:4");
  EXPECT_FALSE(got_other.before(0, 0, 0, 1));
}

// [C5]
TEST(MatchesBefore, c5_along_messages_and_barriers) {
  const Seen1 message("r0<1 s0>1:2 | s1>0 r1<0:2 s2>0:5 | r9<1:6");
  EXPECT_TRUE(message.before(0, 0, 1, 3));  // before the send, so before what is behind its receive
  const Seen1 barrier("r0<1 b | s1>0 b s2>2 | b r2<1");
  EXPECT_TRUE(barrier.before(0, 0, 1, 2));
  // Not against the direction of a message: what is behind a receive knows nothing of the send.
  const Seen1 back("s0>1 r0<1:4 | r1<0 s1>0:4");
  EXPECT_FALSE(back.before(0, 0, 1, 0));
  EXPECT_FALSE(back.before(1, 0, 0, 0));
}

// The law of synchronous sends: each tells of the other.
TEST(MatchesBefore, synchronous_sends_tell_both_ways) {
  const Seen1 seen("s0>>1 s1>2:5 | ir0<0 s2>2:6 w(0) | r1<0:5 r2<1:6");
  EXPECT_TRUE(seen.before(1, 0, 0, 1));  // the receive before what follows the send
  EXPECT_TRUE(seen.before(0, 0, 1, 2));  // the send before what follows the receive
}

// [C6]
TEST(MatchesBefore, c6_transitive) {
  // Figure 3.4: the first receive of 0 before the second of 1 before the send of 2.
  const Seen1 seen("r0<3 s0>1 b | r1<0 r2<3 b | b s2>3 | s3>0 s4>1 b r9<2");
  EXPECT_TRUE(seen.before(0, 0, 1, 2));
  EXPECT_TRUE(seen.before(1, 2, 2, 1));
  EXPECT_TRUE(seen.before(0, 0, 2, 1));
}

TEST(MatchesBefore, c7_to_c12_sets) {
  const Seen1 seen("r0<1 s0>1:2 b | s1>0 r1<0:2 b s2>0:5 | b");
  const OpId first = seen.at(0, 0), send = seen.at(0, 2), barrier = seen.at(0, 3);
  const OpId sent = seen.at(1, 0), receive = seen.at(1, 1), later = seen.at(1, 4);
  EXPECT_TRUE(seen.order.before_set(first, receive));        // [C7]: it is before the send
  EXPECT_FALSE(seen.order.before_set(sent, receive));        // [C7]: it is not
  EXPECT_FALSE(seen.order.before_set(first, barrier));       // [C8]: not before that of rank 2
  EXPECT_TRUE(seen.order.before(first, barrier));            // though before its own
  EXPECT_TRUE(seen.order.set_before(send, later));           // [C9]: its receive is
  EXPECT_FALSE(seen.order.before(send, later));              // though the send is not
  EXPECT_TRUE(seen.order.set_before(seen.at(2, 0), later));  // [C11]: a member is
  EXPECT_TRUE(seen.order.set_before_set(sent, send));  // [C12]: its receive is before the send
  EXPECT_FALSE(seen.order.set_before_set(send, sent));
  EXPECT_EQ(seen.order.set_of(barrier).size(), 3u);
  EXPECT_EQ(seen.order.set_of(send), (std::vector<OpId>{send, receive}));
  const Seen1 sync("s0>>1 s1>1:4 | r0<0 r1<0:4");
  EXPECT_TRUE(sync.order.set_before(sync.at(0, 0), sync.at(0, 1)));  // [C10]: both are
}

// Both corollaries, on random programs: members of one match-set are unordered; nothing happens
// before what its process issued earlier.
TEST(MatchesBefore, corollaries) {
  predict::RandomShape shape;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const SimRun run = simulate(simulated(predict::random_program(seed, shape)), {.seed = seed});
    const MatchesBefore order(run.seen);
    for (OpId id = 0; id < run.seen.program.ops.size(); ++id) {
      for (const OpId a : order.set_of(id))
        for (const OpId b : order.set_of(id)) ASSERT_FALSE(order.before(a, b)) << seed;
      for (OpId later = id + 1; later < run.seen.program.ops.size(); ++later)
        ASSERT_FALSE(run.seen.program.before(id, later) && order.before(later, id)) << seed;
    }
  }
}

// A message is late for a wildcard exactly if the wildcard is not before its send.
TEST(MatchesBefore, late_messages_are_concurrent_ones) {
  predict::RandomShape shape;
  std::size_t late = 0;
  for (std::uint64_t seed = 1; seed <= (slow_tests() ? 3000u : 300u); ++seed) {
    const SimRun run = simulate(simulated(predict::random_program(seed, shape)), {.seed = seed});
    if (run.deadlock) continue;  // what is not finalised there is not compared
    const predict::Program& program = run.seen.program;
    const bool plain = std::all_of(program.ops.begin(), program.ops.end(), [](const auto& op) {
      return op.tag != predict::kAny && op.kind != predict::OpKind::probe &&
             op.mode != predict::SendMode::synchronous &&
             (op.kind != predict::OpKind::sync || op.blocking);
    });
    if (!plain) continue;
    const MatchesBefore order(run.seen);
    const Analysed all = analyse(run.seen, Protocol::vector);
    for (const Event& e : all.events) {
      std::set<int> expected, found;
      for (OpId s = 0; s < program.ops.size(); ++s) {
        if (program[s].kind != predict::OpKind::send ||
            !predict::accepts(program[e.op], program[s]))
          continue;
        const auto taker = std::find(run.seen.met.begin(), run.seen.met.end(), s);
        const auto receive = static_cast<OpId>(taker - run.seen.met.begin());
        if (taker != run.seen.met.end() && receive <= e.op) continue;  // taken by an earlier one
        if (program[s].process != e.source && !order.before(e.op, s))
          expected.insert(program[s].process);
      }
      for (const Alternative& a : e.alternatives) found.insert(a.source);
      ASSERT_EQ(found, expected) << seed << " event " << e.id.number << " of " << e.id.rank << "\n"
                                 << predict::print_compact(program);
      late += found.size();
    }
  }
  EXPECT_GT(late, 0u);
}

}  // namespace
}  // namespace vouch::explore
