// The programs of [D1-D9], fed to one node.

#include <deque>
#include <string>

#include <gtest/gtest.h>

#include "wait/graph.h"
#include "wait/node.h"

namespace vouch::wait {
namespace {

constexpr CommId kWorld = 1;

class Waiting : public ::testing::Test {
 protected:
  void ranks(int n, Buffering buffering = {}) {
    node = std::make_unique<Node>(0, Layout{}, nullptr, buffering);
    auto world = std::make_shared<Group>();
    for (Rank r = 0; r < n; ++r) world->members.push_back(r);
    node->define(kWorld, world);
  }
  static Label line(int n) { return {1, Site{static_cast<std::uint32_t>(n)}}; }
  Index send(Rank from, Rank to, int at, bool blocks = true) {
    return node->send(from,
                      {.label = line(at), .envelope = {kWorld, from, to, 0}, .blocks = blocks});
  }
  Index recv(Rank at_rank, Rank from, int at, bool blocks = true) {
    return node->recv(at_rank, line(at), {kWorld, from, at_rank, 0}, blocks);
  }
  Index barrier(Rank r, int at) { return node->collective(r, line(at), kWorld, wave[r]++, true); }
  Index wait(Rank r, std::vector<Index> parts, bool all, int at) {
    return node->completion(r, line(at), parts, all);
  }
  Snapshot state(View view = {}) {
    node->request_snapshot(view);
    return *node->take_snapshot();
  }
  // "cycle 0@1 1@2; waiting 2@3"
  std::string verdict(Judging how = {}, View view = {}) {
    const Snapshot s = state(view);
    const Verdict v = judge(s, node->groups(), how);
    std::string text;
    const auto tell = [&](const std::vector<Stuck>& list) {
      for (const Stuck& e : list) {
        text += ' ';
        const auto& runs = e.ranks.runs();
        for (std::size_t i = 0; i < runs.size(); ++i) {
          text += (i > 0 ? "," : "") + std::to_string(runs[i].first);
          if (runs[i].last > runs[i].first) text += "-" + std::to_string(runs[i].last);
        }
        text += "@" + std::to_string(e.label.site.value);
      }
    };
    const char* shapes[] = {"cycle", "knot", "finished"};
    for (const Deadlock& d : v.deadlocks) {
      text += (text.empty() ? "" : "; ") + std::string(shapes[static_cast<int>(d.shape)]);
      if (!d.manifest) text += "?";
      tell(d.core);
    }
    if (!v.waiting.empty()) {
      text += "; waiting";
      tell(v.waiting);
    }
    return text;
  }

  std::unique_ptr<Node> node;
  std::map<Rank, std::uint64_t> wave;
};

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

// [D14]: who sent is told by its number in the other group.
TEST_F(Waiting, a_wildcard_across_an_inter_communicator) {
  ranks(4);
  constexpr CommId kInter = 2;
  auto both = std::make_shared<Group>();
  both->members = {0, 2};
  both->others = {1, 3};
  node->define(kInter, both);
  const Index took = node->recv(2, line(10), {kInter, kAnyRank, 2, 0}, true);
  node->send(3, {.label = line(20), .envelope = {kInter, 3, 2, 0}});
  EXPECT_EQ(node->position(2), 0u);
  node->resolve_number(2, took, 1, 0);
  EXPECT_EQ(node->position(2), 1u);
  EXPECT_EQ(node->position(3), 1u);
}

TEST_F(Waiting, a_decided_wildcard_takes_that_message_and_no_other) {
  ranks(3);
  const Index at = recv(0, kAnyRank, 10);
  node->decide(0, at, 2, 0);
  send(1, 0, 20);
  EXPECT_EQ(node->position(0), at);
  send(2, 0, 30);
  EXPECT_EQ(node->position(0), at + 1);
  EXPECT_NE(node->current(1), nullptr);
  EXPECT_EQ(node->current(2), nullptr);
}

TEST_F(Waiting, a_decision_holds_only_where_it_is_heeded) {
  ranks(3);
  const Index at = recv(0, kAnyRank, 10);
  recv(2, 0, 20);
  EXPECT_EQ(verdict(), "");  // rank 1 may send
  node->decide(0, at, 2, 0);
  EXPECT_EQ(verdict(), "cycle 0@10 2@20");
  EXPECT_EQ(verdict({}, {.decisions = false}), "");
}

// Once it has its message it is a wildcard like any other: if the other send had waited, it would
// have been taken.
TEST_F(Waiting, a_decision_that_came_true_is_an_unexpected_match) {
  ranks(3);
  const Index first = send(0, 2, 10);
  node->returned(0, first);
  send(0, 1, 11);
  recv(1, 0, 20);
  const Index at = recv(2, kAnyRank, 30);
  node->decide(2, at, 1, 0);
  EXPECT_EQ(verdict(), "cycle? 0@10 1@20 2@30");
  EXPECT_EQ(verdict({}, {.decisions = false}), "");
  EXPECT_TRUE(state().decided);
  node->resolve(2, at, 1, 0);
  EXPECT_EQ(verdict(), "");
  const Snapshot now = state();
  EXPECT_FALSE(now.decided);
  ASSERT_EQ(now.unexpected.size(), 1u);
  EXPECT_EQ(now.unexpected[0].source, 1);
}

// A pending one: by itself it could take the message that is there.
TEST_F(Waiting, a_decision_keeps_no_sender_waiting) {
  ranks(2);
  send(0, 1, 10);
  node->send(0, {.label = line(11), .envelope = {kWorld, 0, 1, 9}});
  const Index at = recv(1, kAnyRank, 20, false);
  node->decide(1, at, 1, 0);
  node->recv(1, line(21), {kWorld, 0, 1, 9}, true);
  EXPECT_EQ(verdict(), "cycle 0@10 1@21");
  EXPECT_EQ(verdict({}, {.decisions = false}), "");
}

TEST_F(Waiting, what_a_schedule_imposes_blocks_only_in_that_schedule) {
  ranks(2);
  const Index request = recv(0, 1, 10, false);
  const Index at = wait(0, {request}, true, 11);
  node->impose(0, at);
  node->finalize(1, line(20));
  EXPECT_EQ(verdict(), "finished 0@11");
  EXPECT_EQ(verdict({}, {.decisions = false}), "");
  node->returned(0, at);  // so it did not wait for that
  EXPECT_EQ(node->position(0), at + 1);
}

TEST_F(Waiting, a_decision_may_leave_the_tag_open) {
  ranks(3);
  const Index at = node->recv(0, line(10), {kWorld, kAnyRank, 0, kAnyTag}, true);
  node->decide(0, at, 1, kAnyTag);
  EXPECT_EQ(verdict(), "");
  node->finalize(1, line(20));
  EXPECT_EQ(verdict(), "finished 0@10");  // though rank 2 might have sent
  node->decide(0, at, 2, 0);              // the first one holds
  send(2, 0, 30);
  EXPECT_EQ(node->position(0), at);
  node->resolve(0, at, 2, 0);  // what the library did holds against it
  EXPECT_EQ(node->position(0), at + 1);
}

// Which message a pending receive took --------------------------------
TEST_F(Waiting, a_receive_of_any_tag_from_one_source_takes_its_first_message) {
  ranks(2);
  const Index any = node->recv(0, line(10), {kWorld, 1, 0, kAnyTag}, false);
  node->recv(0, line(11), {kWorld, 1, 0, 5}, true);
  wait(0, {any}, true, 12);
  const Index sent = node->send(1, {.label = line(20), .envelope = {kWorld, 1, 0, 5}});
  EXPECT_EQ(node->position(1), sent + 1);
  EXPECT_EQ(verdict(), "");  // it may send again
  node->finalize(1, line(21));
  EXPECT_EQ(verdict({.loose = true}), "finished 0@11");
}

TEST_F(Waiting, receives_of_any_tag_and_of_one_share_in_order) {
  ranks(2);
  const auto post = [&](std::int32_t tag) {
    return node->recv(0, line(10), {kWorld, 1, 0, tag}, false);
  };
  const Index five = post(5), first = post(kAnyTag), six = post(6), second = post(kAnyTag);
  const auto met = [&](Index at) { return !node->pending(0, at); };
  const auto send_tag = [&](std::int32_t tag) {
    node->send(1, {.label = line(20), .envelope = {kWorld, 1, 0, tag}, .blocks = false});
  };
  send_tag(6);
  EXPECT_TRUE(met(first));
  EXPECT_FALSE(met(six));
  send_tag(5);
  EXPECT_TRUE(met(five));
  send_tag(6);
  EXPECT_TRUE(met(six));
  EXPECT_FALSE(met(second));
  send_tag(7);
  EXPECT_TRUE(met(second));
  // Messages that came first.
  for (const std::int32_t tag : {8, 9, 8}) send_tag(tag);
  EXPECT_TRUE(met(post(9)));
  EXPECT_TRUE(met(post(kAnyTag)));
  EXPECT_TRUE(met(post(8)));
  for (Index i = 0; i < node->fed(0); ++i) node->release(0, i);
  for (Index i = 0; i < node->fed(1); ++i) node->release(1, i);
  EXPECT_EQ(node->operations(), 0u);
}

// There is one message, and the receive posted before takes it, whoever sent it.
TEST_F(Waiting, a_pending_wildcard_has_taken_the_only_message) {
  for (const std::int32_t tag : {0, kAnyTag}) {
    ranks(2);
    const Index any = node->recv(0, line(10), {kWorld, kAnyRank, 0, tag}, false);
    recv(0, 1, 11);
    wait(0, {any}, true, 12);
    const Index sent = send(1, 0, 20);
    EXPECT_EQ(node->position(1), sent + 1);  // one of the two takes it
    EXPECT_EQ(verdict(), "");
    node->finalize(1, line(21));
    EXPECT_EQ(verdict({.loose = true}), "finished 0@11");
    EXPECT_TRUE(state().blocked[0].terms[0].taken);
  }
}

TEST_F(Waiting, a_pending_wildcard_may_have_taken_another_message) {
  ranks(3);
  recv(0, kAnyRank, 10, false);
  recv(0, 1, 11);
  send(1, 0, 20);
  node->finalize(1, line(21));
  EXPECT_EQ(verdict(), "");  // rank 2 may send
  node->returned(2, send(2, 0, 30));
  EXPECT_EQ(verdict(), "");  // and does
  node->finalize(2, line(31));
  EXPECT_EQ(verdict(), "");
  // But if nothing moves, it took the one of rank 1.
  node->relax(2);
  EXPECT_EQ(verdict({}, {.silent = true}), "finished 0@11");
}

TEST_F(Waiting, messages_of_one_source_are_not_for_two_waits) {
  ranks(2);
  const Index any = recv(0, kAnyRank, 10, false), one = recv(0, 1, 11, false);
  wait(0, {any, one}, true, 12);
  send(1, 0, 20);
  node->finalize(1, line(21));
  EXPECT_EQ(verdict({.loose = true}), "finished 0@12");
  ranks(2);
  const Index first = recv(0, kAnyRank, 10, false), second = recv(0, 1, 11, false);
  wait(0, {first, second}, false, 12);
  send(1, 0, 20);
  node->finalize(1, line(21));
  EXPECT_EQ(verdict({.loose = true}), "");
}

// What a promised message becomes once the wildcard is known.
TEST_F(Waiting, a_promised_message_is_taken_in_the_end) {
  for (const Rank from : {1, 2}) {
    ranks(3);
    const Index any = recv(0, kAnyRank, 10, false);
    const Index one = recv(0, 1, 11, false);
    const Index sent = send(1, 0, 20);
    EXPECT_EQ(node->position(1), sent + 1);
    send(2, 0, 30);
    EXPECT_NE(node->current(2), nullptr);
    node->resolve(0, any, from, 0);
    EXPECT_EQ(node->pending(0, one), from == 1);
    EXPECT_EQ(node->current(2) != nullptr, from == 1);
    if (from == 1) continue;
    node->release(0, any);
    node->release(0, one);
    EXPECT_EQ(node->operations(), 0u);
  }
}

// Two ranks send to each other; each has a wildcard open that a third one's message has filled.
TEST_F(Waiting, sends_to_each_other_past_wildcards_that_are_used_up) {
  ranks(3);
  for (const Rank r : {0, 1}) recv(r, kAnyRank, 10, false);
  for (const Rank r : {0, 1}) send(r, 1 - r, 11);
  EXPECT_EQ(verdict({}, {.silent = true}), "");  // each takes the other's
  for (const Rank r : {0, 1}) node->returned(2, send(2, r, 20));
  node->relax(2);
  node->relax(2);
  node->finalize(2, line(21));
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(verdict({}, {.silent = true}), "cycle 0@11 1@11");
}

TEST_F(Waiting, a_wildcard_that_must_get_its_message_is_not_stuck) {
  ranks(2);
  const Index any = recv(0, kAnyRank, 10, false);
  wait(0, {any}, true, 11);
  send(1, 0, 20);
  EXPECT_EQ(verdict({}, {.silent = true}), "");
}

TEST_F(Waiting, a_receive_that_may_be_cancelled_takes_nothing_for_certain) {
  ranks(2);
  const Index any = recv(0, kAnyRank, 10, false);
  node->excuse(0, any);
  recv(0, 1, 11);
  send(1, 0, 20);
  node->finalize(1, line(21));
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(verdict({}, {.silent = true}), "");
  node->withdraw(0, any);
  EXPECT_EQ(node->current(0), nullptr);
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

// Two nodes, one rank on each; messages lie until they are carried.
class TwoNodes : public ::testing::Test {
 protected:
  struct Post : Network {
    void send(int node, Message m) override { queue.emplace_back(node, std::move(m)); }
    std::deque<std::pair<int, Message>> queue;
  };
  TwoNodes() {
    auto owners = std::make_shared<std::vector<int>>(std::vector<int>{0, 1});
    auto world = std::make_shared<Group>();
    world->members = {0, 1};
    for (int n = 0; n < 2; ++n) {
      nodes[n] = std::make_unique<Node>(n, Layout{2, 16, owners}, &posts[n]);
      nodes[n]->define(kWorld, world);
    }
  }
  void carry() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int n = 0; n < 2; ++n) {
        for (; !posts[n].queue.empty(); posts[n].queue.pop_front(), moved = true)
          nodes[posts[n].queue.front().first]->receive(n, posts[n].queue.front().second);
        while (nodes[n]->work()) moved = true;
      }
    }
  }
  Post posts[2];
  std::unique_ptr<Node> nodes[2];
};

TEST_F(TwoNodes, a_decision_waits_while_the_nodes_stand_still) {
  const Index at = nodes[0]->recv(0, {1, Site{10}}, {kWorld, kAnyRank, 0, 0}, true);
  nodes[1]->send(1, {.label = {1, Site{20}}, .envelope = {kWorld, 1, 0, 0}});
  carry();
  nodes[0]->request_snapshot();
  nodes[0]->decide(0, at, 1, 0);
  EXPECT_EQ(nodes[0]->position(0), at);  // the state that is being gathered does not change
  EXPECT_FALSE(nodes[0]->take_snapshot());
  carry();
  EXPECT_TRUE(nodes[0]->take_snapshot());
  EXPECT_EQ(nodes[0]->position(0), at + 1);
  EXPECT_EQ(nodes[1]->position(1), 1u);
}

// The sender goes on before it is known which receive takes its message.
TEST_F(TwoNodes, a_promise_crosses_nodes) {
  const Index any = nodes[0]->recv(0, {1, Site{10}}, {kWorld, kAnyRank, 0, 0}, false);
  const Index one = nodes[0]->recv(0, {1, Site{11}}, {kWorld, 1, 0, 0}, true);
  nodes[1]->send(1, {.label = {1, Site{20}}, .envelope = {kWorld, 1, 0, 0}});
  carry();
  EXPECT_EQ(nodes[1]->position(1), 1u);
  EXPECT_EQ(nodes[0]->position(0), one);
  nodes[1]->finalize(1, {1, Site{21}});
  nodes[0]->request_snapshot();
  carry();
  EXPECT_EQ(judge(*nodes[0]->take_snapshot(), nodes[0]->groups()).ranks.list(),
            std::vector<int>{0});
  const std::size_t said = nodes[0]->messages_sent();
  nodes[0]->resolve(0, any, 1, 0);
  EXPECT_EQ(nodes[0]->messages_sent(), said);  // it knows
  EXPECT_FALSE(nodes[0]->pending(0, any));
}

}  // namespace
}  // namespace vouch::wait
