#include "policy/recorder.h"

#include <gtest/gtest.h>

namespace vouch::policy {
namespace {

std::string taken(std::string_view text) {
  const auto trace = read_text(text);
  return trace.ok() ? to_text(schedule_of(trace.value())) : trace.error();
}

// [RR1]
TEST(Taker, receives_and_probes_in_order_of_issue) {
  EXPECT_EQ(taken("0 Recv source=ANY_SOURCE tag=7 -> status=(2,7,4)\n"
                  "0 Probe source=ANY_SOURCE tag=ANY_TAG -> status=(1,9,4)\n"
                  "0 Recv source=1 tag=9\n"
                  "0 Sendrecv source=ANY_SOURCE dest=1 recvtag=3 -> status=(1,3,4)\n"),
            "A0=2,1t9,1");
}

TEST(Taker, a_request_is_known_when_it_is_complete) {
  EXPECT_EQ(taken("0 Irecv source=ANY_SOURCE -> request=a\n"
                  "0 Irecv source=ANY_SOURCE tag=ANY_TAG -> request=b\n"
                  "0 Recv source=ANY_SOURCE -> status=(3,0,4)\n"
                  "0 Wait request=b -> status=(2,5,4)\n"
                  "0 Wait request=a -> status=(1,0,4)\n"),
            "A0=1,2t5,3");
}

// [RR4]
TEST(Taker, what_is_never_complete_is_free) {
  EXPECT_EQ(taken("0 Irecv source=ANY_SOURCE -> request=a\n"
                  "0 Recv source=ANY_SOURCE -> status=(3,0,4)\n"
                  "0 Recv source=ANY_SOURCE ...\n"),
            "A0=_,3");
}

// [RR10]
TEST(Taker, a_cancelled_one) {
  EXPECT_EQ(taken("0 Irecv source=ANY_SOURCE -> request=a\n"
                  "0 Cancel request=a\n"
                  "0 Wait request=a -> status=(-1,-1,0,0,1)\n"),
            "A0=c");
}

TEST(Taker, each_start_of_a_persistent_receive) {
  EXPECT_EQ(taken("0 Recv_init source=ANY_SOURCE tag=4 -> request=p\n"
                  "0 Start request=p\n"
                  "0 Wait request=p -> request=p status=(2,4,4)\n"
                  "0 Startall array_of_requests=[p]\n"
                  "0 Waitall array_of_requests=[p] -> array_of_statuses=[(1,4,4)]\n"),
            "A0=2,1");
}

// [RR1]
TEST(Taker, picks) {
  EXPECT_EQ(taken("0 Irecv source=1 -> request=a\n"
                  "0 Irecv source=2 -> request=b\n"
                  "0 Irecv source=3 -> request=c\n"
                  "0 Test request=a -> flag=0\n"
                  "0 polls 12\n"
                  "0 Waitany array_of_requests=[a,b,c] -> index=1 status=(2,0,4)\n"
                  "0 Testsome array_of_requests=[a,REQUEST_NULL,c] -> outcount=2 "
                  "array_of_indices=[2,0] array_of_statuses=[(3,0,4),(1,0,4)]\n"
                  "0 Testany array_of_requests=[REQUEST_NULL] -> index=UNDEFINED flag=1\n"),
            "A0=:nx13,1,2+0,u");
}

TEST(Taker, probes_that_ask) {
  EXPECT_EQ(taken("1 Iprobe source=ANY_SOURCE -> flag=0\n"
                  "1 Iprobe source=ANY_SOURCE tag=ANY_TAG -> flag=1 status=(2,6,4)\n"
                  "1 Iprobe source=2 -> flag=1 status=(2,6,4)\n"
                  "1 Improbe source=ANY_SOURCE -> flag=1 message=m status=(0,0,4)\n"),
            "A1=2t6,0:n,yx3");
}

TEST(Taker, nothing_is_decided_without_a_choice) {
  EXPECT_EQ(taken("0 Recv source=1 tag=ANY_TAG -> status=(1,3,4)\n"
                  "0 Recv source=PROC_NULL tag=ANY_TAG -> status=(-2,-1,0)\n"
                  "0 Isend dest=1 -> request=a\n"
                  "0 Wait request=a\n"),
            "A");
}

}  // namespace
}  // namespace vouch::policy
