#include "analysis/unmatched/unmatched.h"

#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/leak/leak.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// Both ranks finish in order.
std::string found(const std::string& text) {
  return run<Unmatched>(text + "0 Finalize\n1 Finalize\n");
}
std::string messages(const std::string& text) {
  return run_messages<Unmatched>(text + "0 Finalize\n1 Finalize\n");
}
bool says(const std::string& text, const std::string& part) {
  return messages(text).find(part) != std::string::npos;
}

TEST(UnmatchedSend, nobody_asks) {
  EXPECT_EQ(found("0 Send dest=1 tag=1 @a.c:1\n"), "unmatched/send ranks=0 @a.c:1\n");
  EXPECT_TRUE(says("0 Send dest=1 tag=1 @a.c:1\n",
                   "to rank 1 of MPI_COMM_WORLD was never received; that rank asked for "
                   "nothing like it"));
  EXPECT_EQ(found("0 Send dest=1 tag=1 @a.c:1\n1 Recv source=0 tag=1\n"), "");
}

TEST(UnmatchedSend, names_the_near_miss) {  // [U29]
  const std::string lost = "0 Send dest=1 tag=1 @a.c:1\n";
  EXPECT_TRUE(says(lost + "0 Send dest=1 tag=2\n1 Recv source=0 tag=2 @b.c:1\n",
                   "with tag 1: it asked for tag 2 at"));
  EXPECT_TRUE(says(lost + lost + "1 Recv source=0 tag=1 @b.c:1\n", "receives such messages at"));
  EXPECT_TRUE(says(lost + "1 Send dest=1 tag=1\n1 Recv source=1 tag=1 @b.c:1\n",
                   "from rank 0: it asked for tag 1 from rank 1"));
  EXPECT_TRUE(
      says("0 Comm_dup newcomm=d @c.c:1\n1 Comm_dup newcomm=d @c.c:1\n0 Send dest=1 tag=1 comm=d "
           "@a.c:1\n"
           "0 Send dest=1 tag=1\n1 Recv source=0 tag=1 @b.c:1\n",
           "it asked for tag 1 on MPI_COMM_WORLD at"));
}

TEST(UnmatchedSend, in_every_mode) {
  for (const char* call : {"Send", "Bsend", "Rsend"}) {
    EXPECT_EQ(found(std::string("0 ") + call + " dest=1 @a.c:1\n"),
              "unmatched/send ranks=0 @a.c:1\n")
        << call;
  }
  EXPECT_EQ(found("0 Isend dest=1 request=r @a.c:1\n0 Wait request=r\n"),
            "unmatched/send ranks=0 @a.c:1\n");
  EXPECT_EQ(found("0 Isend dest=1 request=r @a.c:1\n0 Request_free request=r\n"),
            "unmatched/send ranks=0 @a.c:1\n");
  EXPECT_EQ(found("0 Send_init dest=1 request=r @a.c:1\n0 Start request=r\n0 Wait request=r\n0 "
                  "Request_free request=r\n"),
            "unmatched/send ranks=0 @a.c:1\n");
}

TEST(UnmatchedSend, stays_silent) {
  EXPECT_EQ(found("0 Send dest=PROC_NULL\n"), "");
  EXPECT_EQ(
      found("0 Isend dest=1 tag=3 request=r\n0 Request_free request=r\n1 Recv source=0 tag=3\n"),
      "");
  EXPECT_EQ(found("0 Isend dest=1 request=r\n0 Cancel request=r\n0 Wait request=r -> "
                  "status=(-1,-1,0,0,1)\n"),
            "");
  EXPECT_EQ(found("0 Send dest=1 tag=4\n1 Mprobe source=0 tag=4 message=m\n"), "");
  EXPECT_EQ(found("0 Send_init dest=1 request=r\n0 Request_free request=r\n"), "");
}

TEST(UnmatchedSend, a_cancel_that_came_too_late) {
  EXPECT_EQ(found("0 Isend dest=1 request=r @a.c:1\n0 Cancel request=r\n0 Wait request=r -> "
                  "status=(-1,-1,0,0,0)\n"),
            "unmatched/send ranks=0 @a.c:1\n");
}

TEST(UnmatchedSend, never_after_an_abnormal_end) {
  EXPECT_EQ(run<Unmatched>("0 Send dest=1 tag=1 @a.c:1\n0 Finalize\n1 exit 3\n"), "");
  EXPECT_EQ(run<Unmatched>("0 Send dest=1 tag=1 @a.c:1\n0 Finalize\n1 signal 11\n"), "");
  EXPECT_EQ(run<Unmatched>("0 Send dest=1 tag=1 @a.c:1\n0 Finalize\n1 Comm_rank\n"), "");
}

TEST(UnmatchedSend, a_request_never_completed_is_a_leak_and_no_more) {
  EXPECT_EQ((run<Unmatched, Leak>("0 Isend dest=1 request=r @a.c:1\n0 Finalize\n1 Finalize\n")),
            "leak/request ranks=0 @a.c:1\n");
  // What it may have taken is not lost.
  EXPECT_EQ((run<Unmatched, Leak>("0 Send dest=1 @a.c:1\n1 Irecv source=ANY_SOURCE request=r "
                                  "@b.c:1\n0 Finalize\n1 Finalize\n")),
            "leak/request ranks=1 @b.c:1\n");
}

TEST(UnmatchedSend, follows_from_a_receive_that_is_wrong) {
  EXPECT_EQ((run<Argument, Unmatched>("0 Send dest=1 tag=1 @a.c:1\n1 Recv source=7 tag=1 @b.c:1 "
                                      "!ERR_RANK\n0 Finalize\n1 Finalize\n")),
            "argument/rank ranks=1 @b.c:1\n");
}

TEST(UnmatchedSend, on_an_inter_communicator) {
  const std::string make =
      "0 Intercomm_create local_comm=COMM_SELF local_leader=0 peer_comm=COMM_WORLD remote_leader=1 "
      "tag=9 newintercomm=i @i.c:1\n"
      "0 comm i size=1 remote=1 members=[0]\n"
      "1 Intercomm_create local_comm=COMM_SELF local_leader=0 peer_comm=COMM_WORLD remote_leader=0 "
      "tag=9 newintercomm=i @i.c:1\n"
      "1 comm i size=1 remote=1 members=[1]\n";
  EXPECT_EQ(found(make + "0 Send dest=0 tag=1 comm=i @a.c:1\n1 Recv source=0 tag=1 comm=i\n"), "");
  EXPECT_EQ(found(make + "0 Send dest=0 tag=1 comm=i @a.c:1\n"), "unmatched/send ranks=0 @a.c:1\n");
}

TEST(UnmatchedPartitioned, each_side_needs_the_other) {
  EXPECT_EQ(found("0 Psend_init dest=1 @a.c:1\n"), "request/partition ranks=0 @a.c:1\n");
  EXPECT_EQ(found("1 Precv_init source=0 tag=0 @a.c:1\n0 Send dest=1 tag=0 @b.c:1\n"),
            "request/partition ranks=1 @a.c:1\nunmatched/send ranks=0 @b.c:1\n");
  EXPECT_EQ(found("0 Psend_init dest=1 partitions=8\n1 Precv_init source=0 partitions=4\n"), "");
}

TEST(UnmatchedSend, between_worlds_nothing_is_known) {
  EXPECT_EQ(found("0 Comm_spawn command=\"x\" maxprocs=1 intercomm=i\n0 comm i size=2 remote=1 "
                  "members=[0,1]\n0 Send dest=0 comm=i\n"),
            "not-checked messages of a communicator\n");
}

}  // namespace
}  // namespace vouch
