#include "agent/node_clocks.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

using std::chrono::milliseconds;
constexpr NodeClocks::Clock::time_point kMeasuredAt{};

TEST(NodeClocks, the_quickest_message_says_how_clocks_differ) {
  NodeClocks clocks;
  EXPECT_EQ(clocks.here(1, kMeasuredAt + milliseconds(7)), kMeasuredAt + milliseconds(7));
  clocks.heard(1, kMeasuredAt + milliseconds(500), kMeasuredAt + milliseconds(30));
  clocks.heard(1, kMeasuredAt + milliseconds(600), kMeasuredAt + milliseconds(102));
  clocks.heard(1, kMeasuredAt + milliseconds(700), kMeasuredAt + milliseconds(209));
  EXPECT_EQ(clocks.here(1, kMeasuredAt + milliseconds(800)), kMeasuredAt + milliseconds(302));
  EXPECT_EQ(clocks.here(2, kMeasuredAt + milliseconds(800)), kMeasuredAt + milliseconds(800));
}

TEST(NodeClocks, what_was_heard_long_ago_does_not_count) {
  NodeClocks clocks;
  clocks.heard(1, kMeasuredAt, kMeasuredAt);
  for (int i = 0; i < 100; ++i) clocks.heard(1, kMeasuredAt, kMeasuredAt + milliseconds(5));
  EXPECT_EQ(clocks.here(1, kMeasuredAt), kMeasuredAt + milliseconds(5));
}

}  // namespace
}  // namespace vouch
