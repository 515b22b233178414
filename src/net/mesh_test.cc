#include "net/mesh.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "net/mesh_test.h"

namespace vouch::net {
namespace {

using namespace testing;

TEST(Mesh, all_join_and_learn_the_plan) {
  Crowd crowd(4);
  EXPECT_EQ(crowd.root().joined, 3);
  EXPECT_FALSE(crowd.root().last_host.empty());
  crowd.open("the plan");
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(crowd.at(i).plan, "the plan");
    EXPECT_EQ(crowd.at(i).mesh->nodes(), 4);
    EXPECT_EQ(crowd.at(i).mesh->self(), i);
  }
}

TEST(Mesh, the_root_and_those_who_joined_talk_before_it_opens) {
  Crowd crowd(2);
  crowd.at(1).send(0, Lane::urgent, "here are ranks 2 and 3");
  ASSERT_TRUE(crowd.until([&] { return crowd.root().messages.size() == 1; }));
  EXPECT_EQ(crowd.root().messages[0], (Member::Heard{1, kText, "here are ranks 2 and 3"}));
}

TEST(Mesh, alone_it_opens_and_closes) {
  Crowd crowd(1);
  crowd.open("alone");
  EXPECT_EQ(crowd.root().plan, "alone");
  EXPECT_TRUE(crowd.close());
}

TEST(Mesh, between_any_two_nothing_overtakes) {
  constexpr int kNodes = 3, kEach = 2000;
  Crowd crowd(kNodes);
  crowd.open();
  std::vector<std::string> seen[kNodes];
  for (int i = 0; i < kEach; ++i) {
    for (int from = 0; from < kNodes; ++from) {
      for (int to = 0; to < kNodes; ++to) {
        if (from == to) continue;
        crowd.at(from).send(to, i % 3 == 0 ? Lane::urgent : Lane::regular, std::to_string(i));
      }
    }
    if (i % 100 == 0) {
      for (Member* m : crowd.all()) m->pump();
    }
  }
  ASSERT_TRUE(crowd.until([&] {
    return std::all_of(crowd.members.begin(), crowd.members.end(),
                       [](auto& m) { return m->messages.size() == (kNodes - 1) * kEach; });
  }));
  for (Member* m : crowd.all()) {
    int last[kNodes][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    for (const auto& heard : m->messages) {
      const int i = std::stoi(heard.text);
      int& before = last[heard.from][i % 3 == 0];
      ASSERT_LT(before, i);
      before = i;
    }
    EXPECT_TRUE(m->lost.empty());
  }
  EXPECT_TRUE(crowd.close());
}

// The receiver handles nothing of the regular lane; an urgent message still comes through, and what
// lies at the receiver and on the way stays within the window.
TEST(Mesh, urgent_ones_pass_what_waits) {
  Tuning tuning = on_loopback();
  tuning.window = 64 << 10;
  tuning.backlog = 256 << 10;
  Crowd crowd(2, tuning);
  crowd.open();
  Member &slow = crowd.at(1), &fast = crowd.root();
  const std::string text(100, 'r');
  int sent = 0;
  for (; fast.mesh->room(); ++sent) fast.send(1, Lane::regular, text);
  EXPECT_GT(sent, 2000);
  EXPECT_LT(sent, 4000);
  fast.send(1, Lane::urgent, "now");
  for (const auto until = Clock::now() + 20s; slow.messages.empty() && Clock::now() < until;) {
    fast.pump();
    slow.mesh->pump(slow, 1ms, 0);
  }
  ASSERT_EQ(slow.messages.size(), 1u);
  EXPECT_EQ(slow.messages[0].text, "now");
  for (int i = 0; i < 200; ++i) {
    fast.pump();
    slow.mesh->pump(slow, 1ms, 0);
  }
  // The rest stays where it was made: a window has gone, and a frame at most.
  EXPECT_EQ(slow.messages.size(), 1u);
  int more = 0;
  for (; fast.mesh->room(); ++more) fast.send(1, Lane::regular, text);
  EXPECT_GT(more, 0);
  EXPECT_LE(more * text.size(), tuning.window + Outbox::kFrameBytes);
  sent += more;
  ASSERT_TRUE(crowd.until([&] { return slow.messages.size() == std::size_t(sent) + 1; }));
  EXPECT_TRUE(fast.mesh->room());
  EXPECT_TRUE(crowd.close());
}

TEST(Mesh, a_message_larger_than_the_window_arrives) {
  Tuning tuning = on_loopback();
  tuning.window = 1000;
  Crowd crowd(2, tuning);
  crowd.open();
  const std::string large(3 << 20, 'l');
  for (int i = 0; i < 3; ++i) crowd.at(1).send(0, Lane::regular, large);
  ASSERT_TRUE(crowd.until([&] { return crowd.root().messages.size() == 3; }));
  EXPECT_EQ(crowd.root().messages[2].text, large);
}

TEST(Mesh, last_words_arrive) {
  Crowd crowd(3);
  crowd.open();
  for (int i : {1, 2}) {
    crowd.at(i).at_end = [&crowd, i] {
      for (int k = 0; k < 500; ++k) crowd.at(i).send(0, Lane::regular, std::string(200, 'w'));
      crowd.at(i).send(0, Lane::regular, "last");
    };
  }
  ASSERT_TRUE(crowd.close());
  const auto& heard = crowd.root().messages;
  EXPECT_EQ(heard.size(), 1002u);
  EXPECT_EQ(std::count_if(heard.begin(), heard.end(), [](auto& m) { return m.text == "last"; }), 2);
  for (Member* m : crowd.all()) EXPECT_TRUE(m->lost.empty());
}

TEST(Mesh, a_death_is_told_to_all) {
  Crowd crowd(4);
  crowd.open();
  // Somebody who never talked to it learns of it too.
  crowd.at(1).send(2, Lane::regular, "x");
  ASSERT_TRUE(crowd.until([&] { return crowd.at(2).messages.size() == 1; }));
  crowd.members.erase(crowd.members.begin() + 2);
  ASSERT_TRUE(crowd.until([&] {
    return std::all_of(crowd.members.begin(), crowd.members.end(),
                       [](auto& m) { return m->lost.size() == 1; });
  }));
  for (Member* m : crowd.all()) {
    EXPECT_EQ(m->lost[0].first, 2);
    EXPECT_FALSE(m->lost[0].second.empty());
    if (m->mesh->self() != 2) m->mesh->send(2, Lane::regular, kText, "to nobody");
  }
  // The others go on.
  crowd.members.back()->send(1, Lane::urgent, "still here");
  ASSERT_TRUE(crowd.until([&] { return !crowd.at(1).messages.empty(); }));
  EXPECT_TRUE(crowd.close());
}

// Whoever goes closes its connections, and others may notice before they know that it is the end.
TEST(Mesh, a_connection_that_breaks_at_the_end_is_no_death) {
  Crowd crowd(3);
  crowd.open();
  constexpr Type kHaveBook = 3, kUnreachable = 5;
  std::string bytes;
  ByteWriter out(bytes);
  out.number(2);
  out.string("the connection to it broke");
  Outbox box;  // that of node 1
  box.add(kHaveBook, "");
  box.take(Lane::urgent);
  box.add(kUnreachable, bytes);
  crowd.root().mesh->end();
  crowd.root().mesh->take(crowd.root(), "1", box.take(Lane::urgent));
  EXPECT_TRUE(crowd.root().lost.empty());
}

// The farewell may still be under way.
TEST(Mesh, one_that_ends_without_a_farewell_is_lost_after_a_while) {
  Crowd crowd(3);
  crowd.open();
  crowd.root().mesh->end();
  const auto begin = Clock::now();
  crowd.members.erase(crowd.members.begin() + 2);
  ASSERT_TRUE(crowd.until([&] { return !crowd.root().lost.empty(); }));
  EXPECT_GE(Clock::now() - begin, 2s);
  EXPECT_EQ(crowd.root().lost[0].first, 2);
}

TEST(Mesh, without_the_root_each_is_alone_and_ends) {
  Crowd crowd(3);
  crowd.open();
  crowd.members.erase(crowd.members.begin());
  ASSERT_TRUE(crowd.until([&] { return crowd.at(0).closed() && crowd.at(1).closed(); }));
  EXPECT_EQ(crowd.at(0).lost[0].first, 0);
  EXPECT_EQ(crowd.at(1).lost[0].first, 0);
}

TEST(Mesh, one_that_dies_before_it_opens) {
  Crowd crowd(3);
  crowd.members.erase(crowd.members.begin() + 1);
  ASSERT_TRUE(crowd.until([&] { return crowd.root().lost.size() == 1; }));
  EXPECT_EQ(crowd.root().lost[0].first, 1);
  crowd.open();
  EXPECT_TRUE(crowd.at(1).mesh->lost(1));
  EXPECT_EQ(crowd.at(1).mesh->nodes(), 3);
  EXPECT_TRUE(crowd.close());
}

TEST(Mesh, nobody_joins_once_it_is_open) {
  Crowd crowd(2);
  const Invitation invitation = crowd.root().mesh->invitation();
  crowd.open();
  Member late(Mesh::join(invitation, on_loopback()));
  std::vector<Member*> all = crowd.all();
  all.push_back(&late);
  ASSERT_TRUE(run(all, [&] { return late.closed(); }));
  ASSERT_EQ(late.lost.size(), 1u);
  EXPECT_EQ(late.lost[0].first, 0);
  EXPECT_EQ(crowd.root().joined, 1);
  EXPECT_TRUE(crowd.close());
}

// Memory follows the number of agents, and their sockets are counted.
TEST(Mesh, more_agents_than_there_can_be_are_not_believed) {
  Crowd crowd(1);
  Member late(Mesh::join(crowd.root().mesh->invitation(), on_loopback()));
  constexpr Type kWelcome = 1;
  std::string bytes;
  ByteWriter out(bytes);
  out.number(1 << 20);
  out.number(4096);
  Outbox box;
  box.add(kWelcome, bytes);
  late.mesh->take(late, "0", box.take(Lane::urgent));
  EXPECT_EQ(late.mesh->self(), -1);
  EXPECT_EQ(late.mesh->nodes(), 1);
  ASSERT_EQ(late.lost.size(), 1u);
  EXPECT_EQ(late.lost[0].second, "it sent something malformed");
}

TEST(Mesh, ipv6) {
  Tuning tuning = on_loopback();
  tuning.interface = "::1";
  if (!Mesh::found(tuning).ok()) GTEST_SKIP() << "this machine has no IPv6";
  Crowd crowd(2, tuning);
  EXPECT_TRUE(crowd.root().mesh->addresses()[0].starts_with("tcp://[::1]:"));
  crowd.open();
  EXPECT_TRUE(crowd.close());
}

TEST(Mesh, no_such_interface) {
  Tuning tuning;
  tuning.interface = "nosuch0";
  const auto made = Mesh::found(tuning);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().find("nosuch0"), std::string::npos);
}

}  // namespace
}  // namespace vouch::net
