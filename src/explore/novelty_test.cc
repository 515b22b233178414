// Schedules that show something new come first.

#include "explore/novelty.h"

#include <gtest/gtest.h>

#include "explore/testing/test_help.h"

namespace vouch::explore {
namespace {

using predict::kAny;

// A server gets as many equal messages as there are clients, and one of another kind, which it must
// not get first.
Simulated server(int clients) {
  Simulated p;
  p.ranks.push_back([=](Rank& me) -> Task {
    for (int i = 0; i <= clients; ++i) {
      const Seen m = co_await me.receive(kAny, kAny);
      if (i == 0 && m.tag == 2) me.fail();
    }
  });
  for (int i = 0; i < clients; ++i)
    p.ranks.push_back([](Rank& me) -> Task { co_await me.send(0, 1); });
  p.ranks.push_back([](Rank& me) -> Task { co_await me.send(0, 2); });
  return p;
}

// Runs until it fails.
std::size_t runs_until_failure(const Simulated& program, Bounds::Order order) {
  Bounds bounds;
  bounds.order = order;
  Search search(Protocol::vector, bounds);
  for (std::size_t runs = 1;; ++runs) {
    const auto job = search.next();
    if (!job) return 0;
    SimOptions options;
    options.forced = job->forced;
    const SimRun run = simulate(program, options);
    if (run.failed) return runs;
    search.done(*job, run.seen);
  }
}

TEST(Novelty, one_of_many_equal_messages_is_enough) {
  // With 8 messages there are 40,320 orders; what is wrong shows in an eighth of them.
  EXPECT_LE(runs_until_failure(server(7), Bounds::Order::novel), 12u);
  EXPECT_GT(runs_until_failure(server(7), Bounds::Order::depth), 1000u);
}

TEST(Novelty, what_is_seen_is_not_new_any_more) {
  Novelty all;
  EXPECT_EQ(all.rank({1, 2}), 0);
  all.add({1, 2});
  EXPECT_EQ(all.rank({1, 2}), 2);
  EXPECT_EQ(all.rank({1, 3}), 1);
  EXPECT_EQ(all.rank({2, 2}), 0);
}

// Of two messages of one kind either is the same; of two kinds it is not.
TEST(Novelty, messages_are_known_by_their_kind) {
  for (const bool same : {true, false}) {
    const Simulated program =
        simulated(same ? "r0* r1* | s1>0 | s2>0" : "r0*:* r1*:* | s1>0:1 | s2>0:2");
    const SimRun run = simulate(program);
    const Analysed analysed = analyse(run.seen, Protocol::vector);
    const Turns turns(run.seen, analysed);
    const Event& first = analysed.events[0];
    ASSERT_EQ(first.alternatives.size(), 1u);
    EXPECT_EQ(turns.got(0).turn == turns.other(0, first.alternatives[0]).turn, same);
    EXPECT_EQ(turns.got(0).state == turns.other(0, first.alternatives[0]).state, same);
    EXPECT_NE(turns.got(0).state, turns.got(1).state);
  }
}

}  // namespace
}  // namespace vouch::explore
