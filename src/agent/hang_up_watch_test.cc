#include "agent/hang_up_watch.h"

#include <array>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vouch {
namespace {

using Clock = HangUpWatch::Clock;

std::array<int, 2> connection() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  return ends;
}

Clock::time_point await(HangUpWatch& watch, std::size_t rank) {
  while (!watch.moment(rank)) ::usleep(1000);
  return *watch.moment(rank);
}

TEST(HangUpWatch, the_moment_is_that_of_the_hang_up_not_of_the_look) {
  HangUpWatch watch;
  const auto one = connection(), other = connection();
  watch.watch(one[0], 3);
  watch.watch(other[0], 4);
  EXPECT_FALSE(watch.moment(3));
  const auto before = Clock::now();
  ::close(one[1]);
  const auto moment = await(watch, 3);
  ::close(other[1]);
  EXPECT_LE(before, moment);
  EXPECT_LT(moment, await(watch, 4));
  EXPECT_EQ(watch.moment(3), moment);
  ::close(one[0]);
  ::close(other[0]);
}

TEST(HangUpWatch, what_a_rank_sends_is_no_hang_up) {
  HangUpWatch watch;
  const auto one = connection(), other = connection();
  watch.watch(one[0], 0);
  watch.watch(other[0], 1);
  ASSERT_EQ(::send(one[1], "x", 1, 0), 1);
  ::close(other[1]);
  await(watch, 1);
  EXPECT_FALSE(watch.moment(0));
  for (const int fd : {one[0], one[1], other[0]}) ::close(fd);
}

}  // namespace
}  // namespace vouch
