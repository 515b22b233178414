#include "agent/packets.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

// What is cut short, or longer than it should be, is nothing.
template <typename Read>
void only_whole(const std::string& bytes, Read&& read) {
  ASSERT_TRUE(read(bytes).has_value());
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(read(std::string_view(bytes).substr(0, cut)).has_value()) << cut;
  EXPECT_FALSE(read(bytes + '\0').has_value());
}

TEST(Packets, a_plan) {
  MeshPlan plan;
  plan.layout.nodes = 3;
  plan.layout.fanout = 2;
  plan.layout.owners = std::make_shared<const std::vector<int>>(std::vector<int>{0, 0, 2, 1, 0});
  plan.missing = {4};
  plan.buffering = {wait::Buffering::Mode::limit, 4096};
  plan.most_unexpected = 5000;
  plan.ends_deadlocks = false;
  const auto read = [](std::string_view bytes) { return MeshPlan::read(bytes, 3); };
  only_whole(plan.bytes(), read);
  const MeshPlan again = *read(plan.bytes());
  EXPECT_EQ(*again.layout.owners, *plan.layout.owners);
  EXPECT_EQ(again.missing, plan.missing);
  EXPECT_EQ(again.layout.fanout, 2);
  EXPECT_EQ(again.buffering.bytes, 4096u);
  EXPECT_EQ(again.most_unexpected, 5000u);
  EXPECT_FALSE(again.ends_deadlocks);
  EXPECT_FALSE(MeshPlan::read(plan.bytes(), 2));
}

TEST(Packets, ranks_that_come_and_die) {
  only_whole(Came{3, 4}.bytes(), Came::read);
  EXPECT_EQ(Came::read(Came{3, -1}.bytes())->size, -1);
  DeathNotice death{7, 3, End::signalled, true, false};
  death.pid = 4711;
  death.stopped = true;
  only_whole(death.bytes(), DeathNotice::read);
  EXPECT_EQ(DeathNotice::read(death.bytes())->how, End::signalled);
  EXPECT_TRUE(DeathNotice::read(death.bytes())->abnormal);
  EXPECT_EQ(DeathNotice::read(death.bytes())->pid, 4711);
  EXPECT_TRUE(DeathNotice::read(death.bytes())->stopped);
  only_whole(ClockNotice{4711}.bytes(), ClockNotice::read);
  EXPECT_FALSE(ClockNotice::read(ClockNotice{-1}.bytes()));
  const Judgement judged{7, End::killed, true, "when it was ended"};
  only_whole(judged.bytes(), Judgement::read);
  EXPECT_EQ(Judgement::read(judged.bytes())->when, judged.when);
}

TEST(Packets, orders_and_answers) {
  const Command ended{CommandKind::launcher_ended, 256, 4711, 4712};
  only_whole(command_bytes(ended), read_command);
  EXPECT_EQ(read_command(command_bytes(ended))->named, 4712);
  EXPECT_EQ(read_command(command_bytes({CommandKind::time_limit, 5000, 0}))->value, 5000);
  const StatusNotice doing{2, 99, "MPI_Recv(source=1)", {5}, {5, 7}, {5, 8, 9}, true, false};
  only_whole(doing.bytes(), StatusNotice::read);
  EXPECT_EQ(StatusNotice::read(doing.bytes())->broken, doing.broken);
  EXPECT_EQ(StatusNotice::read(doing.bytes())->stack, doing.stack);
  EXPECT_TRUE(StatusNotice::read(doing.bytes())->inside);
  only_whole(Blame{2, 5, "and so"}.bytes(), Blame::read);
  only_whole(rank_bytes({1, 2, 9}), read_rank_bytes);
  only_whole(label_bytes(12, 700), read_label);
  only_whole(Tally{3, 700}.bytes(), Tally::read);
  EXPECT_EQ(Tally::read(Tally{3, 700}.bytes()), (Tally{3, 700}));
}

}  // namespace
}  // namespace vouch
