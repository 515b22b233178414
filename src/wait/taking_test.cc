// Which message a receive takes: by its envelope, by a schedule, by the order of others.

#include <deque>
#include <string>

#include <gtest/gtest.h>

#include "wait/waiting_test.h"

namespace vouch::wait {
namespace {

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
