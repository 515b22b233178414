// The example programs of docs/spec/exploration.md with their verdicts and their exact numbers of
// schedules.

#include <gtest/gtest.h>

#include <functional>

#include "explore/testing/examples.h"
#include "explore/testing/test_help.h"

namespace vouch::explore {
namespace {

constexpr int kOrders = 100;  // first runs that differ

// Vector clocks: one run for each outcome, whatever the first run was.
void expect_vector(const Simulated& program, std::size_t runs, std::size_t deadlocks = 0,
                   std::size_t failures = 0) {
  const auto truth = all_outcomes(program);
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    const Explored all = explore_all(program, Protocol::vector, seed);
    EXPECT_EQ(all.runs, runs) << "seed " << seed;
    EXPECT_EQ(all.deadlocks, deadlocks) << "seed " << seed;
    EXPECT_EQ(all.failures, failures) << "seed " << seed;
    EXPECT_EQ(all.repeated, 0u) << "seed " << seed;
    EXPECT_EQ(all.unforced, 0u) << "seed " << seed;
    EXPECT_TRUE(all.outcomes == truth) << "seed " << seed;
    if (testing::Test::HasFailure()) return;
  }
}

// Lamport clocks: nothing impossible is forced; between `least` and `most` runs.
void expect_lamport(const Simulated& program, std::size_t least, std::size_t most,
                    std::size_t deadlocks = 0) {
  const auto truth = all_outcomes(program);
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    const Explored all = explore_all(program, Protocol::lamport, seed);
    EXPECT_GE(all.runs, least) << "seed " << seed;
    EXPECT_LE(all.runs, most) << "seed " << seed;
    EXPECT_LE(all.deadlocks, deadlocks) << "seed " << seed;
    EXPECT_EQ(all.unforced, 0u) << "seed " << seed;
    for (const SimOutcome& o : all.outcomes) EXPECT_TRUE(truth.count(o)) << "seed " << seed;
    if (testing::Test::HasFailure()) return;
  }
}

void expect_both(const Simulated& program, std::size_t runs, std::size_t deadlocks = 0,
                 std::size_t failures = 0) {
  expect_vector(program, runs, deadlocks, failures);
  expect_lamport(program, runs, runs, deadlocks);
}

// [T1, E3]
TEST(Examples, crooked_barrier) { expect_both(crooked_barrier(), 2, 0, 1); }
// [T2]
TEST(Examples, receive_from_oneself) {
  expect_both(simulated("r0<0 r1<1 r2<2 | s0>0 | s1>0"), 1, 1);
}
// [T5, E6, E14]
TEST(Examples, any_then_named) { expect_both(simulated("s0>1 | r0* r1<2 | s2>1"), 2, 1); }
// [T9, E2]
TEST(Examples, two_channels) { expect_both(simulated("r0* r1* | s0>0 s1>2 | r2<1 s2>0"), 2); }
// [T10, E3, E5]
TEST(Examples, pending_and_blocking) {
  expect_both(simulated("is0>2 w | is1>2 w | ir0* r1* w(r0)"), 2);
}
// [T11]
TEST(Examples, two_receives) { expect_both(simulated("s0>1 | r0* r1* | s1>1"), 2); }
// [T12, E12]
TEST(Examples, unsynchronised_clocks) {
  const auto program = simulated("r0* s0>2 | s1>0 s2>2 | r2* r3<0");
  expect_vector(program, 2, 1);
  // If process 2 first takes from 1, one number cannot tell that 0 might have come.
  bool missed = false;
  for (std::uint64_t seed = 0; seed < kOrders; ++seed)
    missed |= explore_all(program, Protocol::lamport, seed).runs == 1;
  EXPECT_TRUE(missed);
  expect_lamport(program, 1, 2, 1);
}
// [T13, T13b, E13]
TEST(Examples, synchronous_send) {
  expect_both(simulated("s0>1 | ir0* r1* r2* w(r0) | s1>>1 s2>3 | r3<2 s3>1"), 3);
  expect_both(simulated("s0>1 | ir0* r9*:8 r1* r2* w(r0) | s1>>1 s2>3 | r3<2 s3>1 | s4>1:8"), 3);
}
// [T14, E3, E32]
TEST(Examples, tags_out_of_order) {
  expect_both(simulated("ir0*:2 ir1*:3 r2*:2 r3*:3 w(r0) w(r1) | s0>0:2 s1>0:3 | s2>0:3 s3>0:2"),
              4);
}
// [T15, E9]
TEST(Examples, any_tag_decides_earlier) {
  expect_both(simulated("ir0*:3 ir1*:* r2*:2 s9>2:100 w(r0) w(r1) r3*:3 | s0>0:3 s1>0:3 s2>0:2 | "
                        "r4<0:100 s3>0:3"),
              1);
}
// [T28, E9]
TEST(Examples, any_tag_order) {
  const auto program = simulated("ir0*:0 r1*:* r2*:* w(r0) | s0>0:1 s1>0:0 | s2>0:0");
  expect_vector(program, 3);
  expect_lamport(program, 2, 3);
}
// The last receive has its message once r2 has gone first, and r2 its own once r1 has: forcing r1
// to rank 1 must leave the last one free, although r1 would never have taken its message.
TEST(Examples, any_tag_behind_a_named_source) {
  for (const char* waits : {"w(r0) w(r1) w(r2) w(r3)", "w(r3) w(r2) w(r1) w(r0)"})
    expect_vector(simulated(std::string("ir0*:0 ir1*:1 ir2<1:* ir3*:* ") + waits +
                            " | s0>0:0 s1>0:1 s2>0:0 | s3>0:1"),
                  2);
}
// [T20, E30]
TEST(Examples, two_masters) {
  expect_both(simulated("r0* r1* | s0>0 | s1>0 | r2* r3* | s2>3 | s3>3"), 4);
}
// [T21, E4]
TEST(Examples, late_prefix) {
  expect_vector(late_prefix(), 3);
  expect_lamport(late_prefix(), 2, 3);
}
// [T22, E4]
TEST(Examples, stale_clock) {
  const auto program = simulated(
      "r0*:5 r1*:5 r2*:5 r3* s9>2 r4* | s0>0:5 s1>0:5 s2>0:5 s3>0 s4>2 | ir5* r6* s5>0 w(r5)");
  expect_vector(program, 2);
  expect_lamport(program, 1, 2);
}
// [T23, T24, E7, E29]
TEST(Examples, caused_send) {
  expect_both(simulated("r0* s0>2:1 r1* | s1>0 | r2<0:1 s2>0"), 1);
  expect_both(simulated("ir0* s0>2:1 r1* w(r0) | s1>0 | r2<0:1 s2>0"), 2);
}
// [T25, T25b, E5, E6]
TEST(Examples, any_and_named_pending) {
  expect_both(simulated("ir0* ir1<2 w(r0) w(r1) | s0>0 | s1>0"), 2, 1);
  expect_both(simulated("ir0* ir1* ir2<2 w(r2) w(r0) w(r1) | s0>0 s1>0 | s2>0 s3>0"), 4, 1);
}
// [T26, E8]
TEST(Examples, probe_then_receive) {
  expect_both(probe_loop(2), 2);
  expect_both(probe_loop(3), 6);
}
// [T27, E14]
TEST(Examples, unreceived) { expect_both(simulated("r0* | s0>0 | s1>0"), 2); }
// [T29, E10]
TEST(Examples, broadcast_follows_its_data) {
  // Process 2 may send before process 1 has entered.
  const auto program = simulated("bcast(0) | r0* bcast(0) r1* | bcast(0) s2>1 | s3>1 bcast(0)");
  expect_both(program, 2);
}
// [T30, E10]
TEST(Examples, reduction_follows_its_data) {
  expect_both(simulated("reduce(0) | reduce(0) s1>2 | r0* reduce(0) r1* | s3>2 reduce(0)"), 2);
}
// [E10]: a member of a scan waits for those before it, and for nobody behind it.
TEST(Examples, scan_follows_its_data) {
  expect_both(simulated("scan | scan s1>2 | r0* scan r1* | s3>2 scan"), 2);
  expect_both(simulated("scan | r0* scan r1* | scan s2>1 | s3>1 scan"), 1);
}
// [E11]
TEST(Examples, communicators_do_not_mix) {
  expect_both(simulated("ir0*/1 ir1*/2 w(r0) w(r1) | s0>0/1 | s1>0/2"), 1);
}
// [T32, E29]
TEST(Examples, no_wildcards) {
  expect_both(simulated("bcast(0) reduce(0) | bcast(0) reduce(0)"), 1);
}

// [T17]
TEST(Examples, every_order_of_n_receives) {
  for (const auto& [senders, rounds, runs] : {std::tuple(2, 3, 8u), {3, 3, 27u}})
    expect_both(n_receives(senders, rounds), runs);
}
// [T18]
TEST(Examples, phases) {
  expect_both(phases(2, 2), 4);
  expect_both(phases(3, 2), 36);
}
// [T19]
TEST(Examples, master_and_workers) { expect_both(matmul(3, 5), 54); }

// ---- bounds ----
std::size_t count(const Simulated& program, Protocol protocol, int k, std::uint64_t seed) {
  return explore_all(program, protocol, seed, {k, {}, 0}, 100'000).runs;
}

void expect_mixing(const Simulated& program, std::vector<std::size_t> by_k, std::size_t all) {
  for (const Protocol protocol : {Protocol::lamport, Protocol::vector}) {
    for (const std::uint64_t seed : {0u, 1u, 2u}) {
      for (std::size_t k = 0; k < by_k.size(); ++k)
        EXPECT_EQ(count(program, protocol, static_cast<int>(k), seed), by_k[k])
            << "k " << k << " seed " << seed;
      if (all > 0) {
        EXPECT_EQ(count(program, protocol, Bounds::kUnbounded, seed), all) << "seed " << seed;
      }
    }
  }
}

// [E37]
TEST(Bounds, mixing) {
  expect_mixing(n_receives(2, 4), {5, 8, 12, 16}, 16);
  expect_mixing(n_receives(3, 4), {9, 21, 45, 81}, 81);
  expect_mixing(phases(3, 2), {7, 13, 24, 36}, 36);
  expect_mixing(matmul(3, 5), {8, 18, 36, 54}, 54);
  expect_mixing(matmul(4, 6), {13, 39, 108, 240}, slow_tests() ? 384 : 0);
}
TEST(Bounds, mixing_of_many) {
  if (!slow_tests()) GTEST_SKIP() << "a slow test";
  expect_mixing(matmul(7, 8), {28, 134, 604, 2400}, 35280);
}
TEST(Bounds, mixing_grows_with_k) {
  std::size_t before = 0;
  for (int k = 0; k < 8; ++k) {
    const std::size_t now = count(matmul(3, 5), Protocol::vector, k, 3);
    EXPECT_GE(now, before);
    before = now;
  }
  EXPECT_EQ(before, 54u);
}
// [E37]
TEST(Bounds, a_region_of_its_own) {
  Bounds bounds;
  bounds.mixing_of[2] = 0;  // of the first phase: flipped alone
  const auto program = phases(2, 2, 0, true);
  EXPECT_EQ(explore_all(program, Protocol::vector, 0, bounds).runs, 3u);
  EXPECT_EQ(explore_all(program, Protocol::vector, 0, {}).runs, 4u);
}
// [E38]
TEST(Bounds, marked_loops_keep_what_they_got) {
  for (const Protocol protocol : {Protocol::lamport, Protocol::vector}) {
    EXPECT_EQ(explore_all(phases(2, 2, 1), protocol).runs, 2u);
    EXPECT_EQ(explore_all(phases(3, 2, 1), protocol, 5).runs, 6u);
    EXPECT_EQ(explore_all(phases(3, 2, 2), protocol, 5).runs, 1u);
  }
}

}  // namespace
}  // namespace vouch::explore
