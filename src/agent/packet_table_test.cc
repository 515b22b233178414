#include "agent/packet_table.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

TEST(PacketTable, a_row_for_each_packet) {
  EXPECT_STREQ(row_of(Packet::wait)->name, "wait");
  EXPECT_STREQ(row_of(Packet::tallied)->name, "tallied");
  EXPECT_EQ(row_of(Packet::first_), nullptr);
  EXPECT_EQ(row_of(static_cast<Packet>(type_of(Packet::tallied) + 1)), nullptr);
  EXPECT_EQ(row_of(static_cast<Packet>(0)), nullptr);
}

TEST(PacketTable, only_its_direction) {
  const PacketRow& judged = *row_of(Packet::judged);
  EXPECT_TRUE(is_allowed(judged, 2, 0, JobStage::running));
  EXPECT_FALSE(is_allowed(judged, 2, 1, JobStage::running));  // another guest is not the root
  EXPECT_FALSE(is_allowed(judged, 0, 1, JobStage::running));
  const PacketRow& death = *row_of(Packet::death);
  EXPECT_TRUE(is_allowed(death, 0, 1, JobStage::running));
  EXPECT_FALSE(is_allowed(death, 1, 2, JobStage::running));
  EXPECT_TRUE(is_allowed(*row_of(Packet::posted), 1, 2, JobStage::running));
}

TEST(PacketTable, only_its_stages) {
  const PacketRow& close = *row_of(Packet::close);
  EXPECT_FALSE(is_allowed(close, 1, 0, JobStage::gathering));
  EXPECT_TRUE(is_allowed(close, 1, 0, JobStage::running));
  EXPECT_FALSE(is_allowed(close, 1, 0, JobStage::closing));  // twice
  EXPECT_FALSE(is_allowed(*row_of(Packet::posted), 1, 2, JobStage::gathering));
  EXPECT_FALSE(is_allowed(*row_of(Packet::summary), 0, 1, JobStage::running));
}

}  // namespace
}  // namespace vouch
