// The programs of [D1-D9], fed to one node.

#include <string>

#include <gtest/gtest.h>

#include "wait/waiting_test.h"

namespace vouch::wait {
namespace {

TEST_F(Waiting, two_receives_facing_each_other) {
  ranks(2);
  recv(0, 1, 10);
  EXPECT_EQ(verdict(), "");
  recv(1, 0, 20);
  EXPECT_EQ(verdict(), "cycle 0@10 1@20");
}

TEST_F(Waiting, two_sends_that_were_buffered_might_have_blocked) {
  ranks(2);
  for (const Rank r : {0, 1}) node->returned(r, send(r, 1 - r, 10));
  EXPECT_EQ(verdict(), "cycle? 0@10 1@10");
  EXPECT_EQ(verdict({.loose = true}), "");
  // Told; from now on what returned has not blocked.
  EXPECT_TRUE(node->relax(0));
  EXPECT_TRUE(node->relax(1));
  EXPECT_EQ(verdict(), "");
  recv(0, 1, 11);
  recv(1, 0, 11);
  EXPECT_EQ(node->operations(), 0u);
}

TEST_F(Waiting, buffering_as_run_and_up_to_a_limit) {
  for (const Buffering b :
       {Buffering{Buffering::Mode::as_run, 0}, Buffering{Buffering::Mode::limit, 100}}) {
    ranks(2, b);
    for (const Rank r : {0, 1}) {
      const Index at =
          node->send(r, {.label = line(10), .envelope = {kWorld, r, 1 - r, 0}, .bytes = 100});
      node->returned(r, at);
    }
    EXPECT_EQ(verdict(), "");
  }
  ranks(2, {Buffering::Mode::limit, 100});
  for (const Rank r : {0, 1})
    node->send(r, {.label = line(10), .envelope = {kWorld, r, 1 - r, 0}, .bytes = 101});
  EXPECT_EQ(verdict(), "cycle 0@10 1@10");
}

// Threads ----------------------------------------------------
TEST_F(Waiting, a_process_acts_while_one_of_its_threads_can) {
  ranks(2);
  node->recv({0, 0}, line(10), {kWorld, 1, 0, 0}, true);
  node->recv({1, 0}, line(20), {kWorld, 0, 1, 0}, true);
  node->set_outside(0, true);
  EXPECT_EQ(verdict(), "");
  // Its other threads wait for each other, or are gone.
  node->set_outside(0, false);
  EXPECT_EQ(verdict(), "cycle 0@10 1@20");
}

TEST_F(Waiting, each_thread_has_its_own_position) {
  ranks(2);
  for (const Rank r : {0, 1}) node->set_outside(r, false);
  node->recv({0, 0}, line(10), {kWorld, 1, 0, 1}, true);
  node->recv({0, 1}, line(11), {kWorld, 1, 0, 2}, true);
  node->recv({1, 0}, line(20), {kWorld, 0, 1, 1}, true);
  EXPECT_EQ(verdict(), "cycle 0@10 0@11 1@20");
  // A second thread of the other process sends what one of them waits for.
  node->send({1, 1}, {.label = line(21), .envelope = {kWorld, 1, 0, 2}});
  EXPECT_EQ(node->current({0, 1}), nullptr);
  EXPECT_EQ(node->current({1, 1}), nullptr);
  EXPECT_NE(node->current({0, 0}), nullptr);
  // It goes on, and sends in turn.
  node->send({0, 1}, {.label = line(12), .envelope = {kWorld, 0, 1, 1}});
  EXPECT_EQ(node->current({1, 0}), nullptr);
  node->send({1, 0}, {.label = line(22), .envelope = {kWorld, 1, 0, 1}});
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(node->operations(), 0u);
}

TEST_F(Waiting, what_one_thread_began_another_waits_for) {
  ranks(2);
  for (const Rank r : {0, 1}) node->set_outside(r, false);
  const Index request = node->recv({0, 0}, line(10), {kWorld, 1, 0, 0}, false);
  const Index parts[] = {request};
  node->completion({0, 1}, line(11), parts, true);
  node->finalize({1, 0}, line(20));
  EXPECT_EQ(verdict(), "finished 0@11");
}

TEST_F(Waiting, one_thread_waits_for_the_finished_and_one_for_the_living) {
  ranks(3);
  for (const Rank r : {0, 1, 2}) node->set_outside(r, false);
  node->recv({0, 0}, line(10), {kWorld, 2, 0, 0}, true);
  node->recv({0, 1}, line(11), {kWorld, 1, 0, 0}, true);
  node->finalize({2, 0}, line(30));
  EXPECT_EQ(verdict(), "");  // rank 1 is in no call
  node->recv({1, 0}, line(20), {kWorld, 0, 1, 0}, true);
  EXPECT_EQ(verdict(), "cycle 0@10 0@11 1@20");
}

TEST_F(Waiting, wildcards_on_all_ranks_are_one_knot) {
  ranks(4);
  for (Rank r = 0; r < 4; ++r) recv(r, kAnyRank, 10);
  EXPECT_EQ(verdict(), "knot 0-3@10");
  const Snapshot s = state();
  ASSERT_EQ(s.blocked.size(), 1u);
  EXPECT_EQ(s.blocked[0].terms.size(), 1u);
}

TEST_F(Waiting, for_a_rank_that_is_finished) {
  ranks(3);
  recv(0, 1, 10);
  node->finalize(1, line(20));
  EXPECT_EQ(verdict(), "finished 0@10");
  recv(2, 0, 30);
  EXPECT_EQ(verdict(), "finished 0@10; waiting 2@30");
}

TEST_F(Waiting, a_wildcard_when_all_others_are_finished) {
  ranks(3);
  recv(0, kAnyRank, 10);
  node->finalize(1, line(20));
  EXPECT_EQ(verdict(), "");
  node->end(2);
  EXPECT_EQ(verdict(), "finished 0@10");
}

TEST_F(Waiting, barrier_against_receive) {
  ranks(2);
  barrier(0, 10);
  recv(1, 0, 20);
  EXPECT_EQ(verdict(), "cycle 0@10 1@20");
}

TEST_F(Waiting, a_part_is_stuck_while_others_go_on) {
  ranks(4);
  recv(0, 1, 10);
  recv(1, 0, 10);
  for (int i = 0; i < 1000; ++i) {
    send(2, 3, 30);
    recv(3, 2, 40);
  }
  EXPECT_EQ(verdict(), "cycle 0@10 1@10");
  EXPECT_LT(node->operations(), 10u);
}

TEST_F(Waiting, a_ring_of_sends_is_few_entries) {
  ranks(64);
  for (Rank r = 0; r < 64; ++r) send(r, (r + 1) % 64, 10);
  EXPECT_EQ(state().blocked.size(), 2u);
  EXPECT_EQ(verdict().substr(0, 8), "cycle 0-");
}

// [D8]: the receive really took the message that the rules think is not sent yet.
TEST_F(Waiting, an_unexpected_match_is_no_deadlock) {
  ranks(3);
  node->returned(0, send(0, 1, 10));
  const Index first = recv(1, kAnyRank, 20);
  const Index reduce = barrier(2, 30);
  node->returned(2, reduce);
  send(2, 1, 31);
  node->resolve(1, first, 2, 0);
  node->returned(1, first);
  barrier(1, 21);
  const Snapshot s = state();
  EXPECT_TRUE(judge(s, node->groups()).empty());
  ASSERT_EQ(s.unexpected.size(), 1u);
  EXPECT_EQ(s.unexpected[0].source, 2);
  node->forgive(s.unexpected[0]);
  EXPECT_EQ(node->position(1), 1u);
  const Index second = recv(1, kAnyRank, 22);
  barrier(0, 11);
  node->resolve(1, second, 0, 0);
  for (Rank r = 0; r < 3; ++r) node->finalize(r, line(99));
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(state().finished.size(), 3u);
}

TEST_F(Waiting, any_needs_one_and_all_needs_all) {
  for (const bool all : {false, true}) {
    ranks(3);
    const Index never = recv(0, 1, 10, false), soon = recv(0, 2, 11, false);
    wait(0, {never, soon}, all, 12);
    send(2, 0, 30);
    node->finalize(1, line(99));
    node->finalize(2, line(99));
    EXPECT_EQ(verdict(), all ? "finished 0@12" : "") << all;
  }
}

TEST_F(Waiting, a_loop_of_tests_is_told_apart) {
  ranks(2);
  const Index never = recv(0, 1, 10, false);
  node->polls(0, line(11), std::vector<Index>{never}, true);
  node->finalize(1, line(99));
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(verdict({.polls = true}), "finished 0@11");
  node->polls_no_more(0);
  EXPECT_EQ(verdict({.polls = true}), "");
}

// Any of the things it asks for may end the loop.
TEST_F(Waiting, a_loop_that_asks_for_several_things) {
  ranks(3);
  const Index never = recv(0, 1, 10, false);
  const Index perhaps = recv(0, 2, 11, false);
  node->finalize(1, line(99));
  node->polls(0, line(12), std::vector<Index>{never}, true);
  node->polls(0, line(13), std::vector<Index>{perhaps}, true);
  EXPECT_EQ(verdict({.polls = true}), "");
  node->finalize(2, line(99));
  EXPECT_EQ(verdict({.polls = true}), "finished 0@13");
  node->polls_unknown(0);
  EXPECT_EQ(verdict({.polls = true}), "");
}

TEST_F(Waiting, the_core_leaves_out_who_only_waits_for_it) {
  ranks(5);
  recv(0, 1, 10);
  recv(1, 0, 10);
  recv(2, 1, 20);
  recv(3, 2, 30);
  send(4, 3, 40);
  EXPECT_EQ(verdict(), "cycle 0@10 1@10; waiting 2@20 3@30 4@40");
}

TEST_F(Waiting, a_send_to_itself_without_a_receive) {
  ranks(1);
  send(0, 0, 10);
  EXPECT_EQ(verdict(), "cycle 0@10");
}

TEST_F(Waiting, what_cannot_be_followed_counts_as_running) {
  ranks(3);
  recv(0, 1, 10);
  const Index lock = node->other(1, line(20));
  EXPECT_EQ(verdict(), "");
  node->returned(1, lock);
  recv(1, 0, 21);
  EXPECT_EQ(verdict(), "cycle 0@10 1@21");
  node->ignore(1);
  EXPECT_EQ(verdict(), "");
}

TEST_F(Waiting, a_cancelled_receive_holds_up_nobody) {
  ranks(2);
  const Index wild = recv(1, kAnyRank, 20, false);
  node->excuse(1, wild);
  recv(1, 0, 21);
  send(0, 1, 10);
  EXPECT_EQ(node->position(1), 1u);
  node->withdraw(1, wild);
  node->release(1, wild);
  EXPECT_EQ(node->position(1), 2u);
  EXPECT_EQ(node->operations(), 0u);
}

// Its message comes while it is being cancelled; which of both was first is known later.
TEST_F(Waiting, the_message_of_a_cancelled_receive_is_there_for_others) {
  ranks(2);
  for (const std::int32_t tag : {0, kAnyTag}) {
    const Index pending = node->recv(1, line(20), {kWorld, 0, 1, tag}, false);
    send(0, 1, 10);
    EXPECT_EQ(node->current(0), nullptr);
    node->withdraw(1, pending);
    node->release(1, pending);
    recv(1, 0, 21);
    EXPECT_EQ(node->current(1), nullptr);
    EXPECT_EQ(node->operations(), 0u);
  }
  // Those that came later stay behind it.
  const Index pending = node->recv(1, line(20), {kWorld, 0, 1, kAnyTag}, false);
  node->send(0, {.label = line(10), .envelope = {kWorld, 0, 1, 7}});
  node->send(0, {.label = line(11), .envelope = {kWorld, 0, 1, 8}});
  node->withdraw(1, pending);
  node->release(1, pending);
  const Index first = node->recv(1, line(21), {kWorld, 0, 1, kAnyTag}, false);
  EXPECT_EQ(verdict(), "");
  node->recv(1, line(22), {kWorld, 0, 1, 8}, true);
  EXPECT_EQ(node->current(1), nullptr);
  EXPECT_EQ(node->current(0), nullptr);
  node->release(1, first);
  EXPECT_EQ(node->operations(), 0u);
}

// A request that lives long does not keep what came after it.
TEST_F(Waiting, memory_follows_what_is_open) {
  ranks(2);
  recv(1, kAnyRank, 20, false);
  for (int i = 0; i < 100000; ++i) barrier(0, 10), barrier(1, 10);
  EXPECT_LT(node->operations(), 5u);
}

// Its calls were lost, or have no order: what it sent is not known.
TEST_F(Waiting, nobody_waits_in_vain_for_an_ignored_process) {
  ranks(3);
  recv(0, 1, 10);
  node->finalize(1, line(20));
  recv(2, 0, 30);
  EXPECT_EQ(verdict(), "finished 0@10; waiting 2@30");
  node->ignore(1);
  EXPECT_EQ(verdict(), "");
}

// What decides whether a rank's records have to wait [D10].
TEST_F(Waiting, what_is_kept_of_a_process) {
  ranks(2);
  for (int i = 0; i < 1000; ++i) send(0, 1, 10, i % 2 == 0);
  EXPECT_EQ(node->kept(0), 1000u);
  EXPECT_EQ(node->kept(1), 0u);
  for (int i = 0; i < 600; ++i) recv(1, 0, 20);
  EXPECT_EQ(node->kept(1), 0u);
  for (Index i = 0; i < 1000; ++i) node->release(0, i);
  EXPECT_EQ(node->kept(0), 400u);
  for (int i = 0; i < 400; ++i) recv(1, 0, 20);
  EXPECT_EQ(node->kept(0), 0u);
}

// Messages that nobody waits for any more cost little, and are found by their index all the same.
class AtRest : public Waiting {
 protected:
  void ranks(int n, std::uint64_t most = RestLimits::kMost) {
    Waiting::ranks(n);
    RestLimits limits;
    limits.busy = 0;
    limits.most = most;
    node->set_limits(limits);
  }
  Index buffered(Rank from, Rank to, int tag = 0) {
    const Index at = node->send(from, {.label = line(10),
                                       .envelope = {kWorld, from, to, tag},
                                       .standard = false,
                                       .synchronous = false});
    node->over(from, at);
    return at;
  }
};

TEST_F(AtRest, what_waits_to_be_received) {
  ranks(2);
  for (int i = 0; i < 1000; ++i) buffered(0, 1);
  EXPECT_EQ(node->resting(), 1000u);
  EXPECT_EQ(node->operations(), 1000u);
  EXPECT_EQ(node->kept(0), 1000u);
  EXPECT_TRUE(node->pending(0, 500));
  for (int i = 0; i < 501; ++i) recv(1, 0, 20);
  EXPECT_FALSE(node->pending(0, 500));
  EXPECT_TRUE(node->pending(0, 501));
  EXPECT_EQ(node->kept(0), 499u);
  for (int i = 0; i < 499; ++i) recv(1, 0, 20);
  EXPECT_EQ(node->operations(), 0u);
  EXPECT_EQ(node->kept(0), 0u);
}

// A blocking call that has not returned may still fail.
TEST_F(AtRest, only_what_has_returned) {
  ranks(2);
  for (int i = 0; i < 8; ++i) buffered(0, 1);
  const Index open = node->send(
      0,
      {.label = line(11), .envelope = {kWorld, 0, 1, 0}, .standard = false, .synchronous = false});
  EXPECT_EQ(node->resting(), 8u);
  node->withdraw(0, open);
  for (int i = 0; i < 9; ++i) recv(1, 0, 20);
  EXPECT_EQ(node->position(1), 8u);
}

TEST_F(AtRest, any_tag_takes_them_in_the_order_of_sending) {
  ranks(2);
  for (int i = 0; i < 30; ++i) buffered(0, 1, i % 3);
  for (int i = 0; i < 30; ++i) {
    const Index at = node->recv(1, line(20), {kWorld, 0, 1, kAnyTag}, false);
    EXPECT_FALSE(node->pending(0, static_cast<Index>(i)));
    EXPECT_EQ(node->pending(0, static_cast<Index>(i) + 1), i < 29);
    node->release(1, at);
  }
  EXPECT_EQ(node->operations(), 0u);
}

// As MPI_Buffer_detach does.
TEST_F(AtRest, somebody_waits_for_them_after_all) {
  ranks(2);
  std::vector<Index> sent;
  for (int i = 0; i < 20; ++i) sent.push_back(buffered(0, 1));
  wait(0, {sent[3], sent[15]}, true, 30);
  recv(1, 0, 40, false);
  barrier(1, 50);
  EXPECT_EQ(verdict(), "cycle 0@30 1@50");
  for (int i = 0; i < 20; ++i) node->recv(1, line(40), {kWorld, 0, 1, 0}, false);
  EXPECT_EQ(node->position(0), 20u);
}

TEST_F(AtRest, the_oldest_are_forgotten_and_received_all_the_same) {
  ranks(2, 64);
  for (int i = 0; i < 1000; ++i) buffered(0, 1);
  EXPECT_LE(node->resting(), 64u);
  EXPECT_GE(node->forgotten(), 1000u - 65u);
  EXPECT_EQ(node->operations(), 1000u);
  EXPECT_LE(node->kept(0), 66u);
  for (int i = 0; i < 1000; ++i) recv(1, 0, 20);
  EXPECT_EQ(node->operations(), 0u);
  EXPECT_EQ(node->kept(0), 0u);
  recv(1, 0, 21);
  EXPECT_EQ(node->position(1), 1000u);
}

TEST_F(Waiting, who_is_inside_a_call_that_waits) {
  ranks(3);
  const Index at = recv(0, 1, 10);
  recv(1, 0, 20, false);
  node->finalize(2, line(30));
  EXPECT_EQ(state().moving.size(), 3u);  // all are new
  EXPECT_EQ(state().moving.list(), std::vector<int>{1});
  node->returned(0, at);
  EXPECT_EQ(state().moving.list(), (std::vector<int>{0, 1}));
}

// Tags that are used once each leave nothing behind, with receives of any tag as well.
TEST_F(Waiting, queues_of_tags_used_once_go) {
  ranks(2);
  for (std::int32_t tag = 0; tag < 5000; ++tag) {
    const Index any = node->recv(0, line(10), {kWorld, 1, 0, kAnyTag}, tag % 2 == 0);
    node->send(1, {.label = line(20), .envelope = {kWorld, 1, 0, tag}});
    ASSERT_FALSE(node->pending(0, any)) << tag;
    node->release(0, any);
  }
  EXPECT_EQ(node->operations(), 0u);
  // Nor is a receive forgotten that has waited meanwhile.
  const Index waits = node->recv(1, line(30), {kWorld, 0, 1, kAnyTag}, false);
  for (std::int32_t tag = 0; tag < 5000; ++tag) {
    node->recv(0, line(10), {kWorld, 1, 0, tag}, true);
    node->send(1, {.label = line(20), .envelope = {kWorld, 1, 0, tag}});
  }
  EXPECT_TRUE(node->pending(1, waits));
  node->send(0, {.label = line(40), .envelope = {kWorld, 0, 1, 3}});
  EXPECT_FALSE(node->pending(1, waits));
}

}  // namespace
}  // namespace vouch::wait
