#include "analysis/thread/thread_use.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/run_text.h"
#include "analysis/type/type_match.h"

namespace vouch {
namespace {

const std::string kSerialized =
    "0 Init_thread required=THREAD_SERIALIZED -> provided=THREAD_SERIALIZED\n";
const std::string kMultiple =
    "0 Init_thread required=THREAD_MULTIPLE -> provided=THREAD_MULTIPLE\n";

std::string serialized(const std::string& text) { return run<ThreadUse>(kSerialized + text); }
std::string multiple(const std::string& text) { return run<ThreadUse>(kMultiple + text); }

TEST(ThreadUse, inside_at_once) {
  EXPECT_EQ(serialized("0 Recv source=1 ... @a.c:1\n"
                       "0.1 Send dest=1 ... @a.c:2\n"
                       "0.1 inside 0\n"
                       "0.1 return\n"
                       "0 return\n"),
            "thread/concurrent ranks=0 @a.c:1\n");
}

TEST(ThreadUse, same_line_is_one_finding_whoever_comes_first) {
  EXPECT_EQ(serialized("0 Send dest=1 ... @a.c:1\n"
                       "0.1 Send dest=1 ... @a.c:1\n"
                       "0.1 inside 0\n"
                       "0.1 return\n"
                       "0.1 Send dest=1 ... @a.c:2\n"
                       "0.1 inside 0\n"
                       "0.1 return\n"
                       "0 return\n"),
            "thread/concurrent ranks=0 @a.c:1\n");
}

TEST(ThreadUse, one_after_the_other_says_nothing) {
  EXPECT_EQ(serialized("0 Send dest=1 ^ ...\n0 issued\n0 return\n"
                       "0.1 Send dest=1 ^ ...\n0.1 issued\n0.1 return\n"
                       "0 Send dest=1\n"),
            "");
}

TEST(ThreadUse, clock_may_be_read_at_once) {
  EXPECT_EQ(serialized("0 Recv source=1 ... @a.c:1\n"
                       "0.1 Wtime ... @a.c:2\n"
                       "0.1 inside 0\n"),
            "");
}

TEST(ThreadUse, multiple_may_be_inside_at_once) {
  EXPECT_EQ(multiple("0 Recv source=1 ... @a.c:1\n"
                     "0.1 Send dest=1 ... @a.c:2\n"
                     "0.1 inside 0\n"),
            "");
}

TEST(ThreadUse, two_threads_wait_for_one_request) {
  EXPECT_EQ(multiple("0.1 Comm_rank\n"
                     "0 Irecv source=1 @a.c:1 -> request=r\n"
                     "0 Wait request=r ... @a.c:2\n"
                     "0.1 Wait request=r ... @a.c:3\n"),
            "thread/request ranks=0 @a.c:2\n");
}

TEST(ThreadUse, each_waits_for_its_own) {
  EXPECT_EQ(multiple("0 Irecv source=1 @a.c:1 -> request=r\n"
                     "0 Irecv source=1 @a.c:1 -> request=s\n"
                     "0 Wait request=r ^ ... @a.c:2\n"
                     "0.1 Wait request=s ^ ... @a.c:3\n"
                     "0 issued\n0.1 issued\n0 return\n0.1 return\n"),
            "");
}

TEST(ThreadUse, waiting_again_after_the_other_is_left_to_others) {
  EXPECT_EQ(multiple("0 Irecv source=1 @a.c:1 -> request=r\n"
                     "0 Wait request=r @a.c:2\n"
                     "0.1 Irecv source=1 @a.c:1 -> request=r\n"
                     "0.1 Wait request=r @a.c:3\n"),
            "");
}

TEST(ThreadUse, one_tests_what_the_other_waits_for) {
  EXPECT_EQ(multiple("0 Irecv source=1 @a.c:1 -> request=r\n"
                     "0 Test request=r ^ ... @a.c:2\n"
                     "0.1 Waitall count=1 array_of_requests=[r] ... @a.c:3\n"),
            "thread/request ranks=0 @a.c:2\n");
}

TEST(ThreadUse, started_and_freed) {
  EXPECT_EQ(multiple("0 Recv_init source=1 @a.c:1 -> request=r\n"
                     "0 Start request=r ^ ... @a.c:2\n"
                     "0.1 Request_free request=r ... @a.c:3\n"),
            "thread/request ranks=0 @a.c:2\n");
}

TEST(ThreadUse, requests_that_share_a_handle_are_two) {
  EXPECT_EQ(multiple("0 Isend dest=1 @a.c:1 -> request=0x99\n"
                     "0.1 Isend dest=1 @a.c:2 -> request=0x99\n"
                     "0 Wait request=0x99 ^ ... @a.c:3\n"
                     "0.1 Wait request=0x99 ^ ... @a.c:4\n"),
            "");
}

TEST(ThreadUse, freed_in_use) {
  const std::string dup = "0 Comm_dup -> newcomm=c\n0 comm c size=2 rank=0 members=0,1\n";
  EXPECT_EQ(multiple(dup + "0 Comm_free comm=c ^ ... @a.c:2\n"
                           "0.1 Send dest=1 comm=c ... @a.c:3\n"),
            "thread/request ranks=0 @a.c:2\n");
  EXPECT_EQ(multiple(dup + "0 Comm_free comm=c ^ ... @a.c:2\n"
                           "0.1 Send dest=1 ... @a.c:3\n"),
            "");
  // It was passed on: the library holds what it needs.
  EXPECT_EQ(multiple(dup + "0.1 Recv source=1 comm=c ... @a.c:3\n"
                           "0 Comm_free comm=c ^ ... @a.c:2\n"
                           "0 issued\n0 return\n"),
            "");
}

TEST(ThreadUse, collectives_on_one_communicator) {
  EXPECT_EQ(multiple("0 Bcast ^ ... @a.c:2\n"
                     "0.1 Barrier ... @a.c:3\n"),
            "thread/collective ranks=0 @a.c:2\n");
  EXPECT_EQ(multiple("0 Bcast comm=COMM_SELF ^ ... @a.c:2\n"
                     "0.1 Barrier comm=COMM_SELF ... @a.c:3\n"),
            "");
  EXPECT_EQ(multiple("0 Bcast ^ ... @a.c:2\n0 issued\n"
                     "0.1 Barrier ... @a.c:3\n"),
            "");
}

TEST(ThreadUse, finalize_with_others_inside) {
  EXPECT_EQ(multiple("0.1 Recv source=1 ... @a.c:2\n"
                     "0 Finalize ... @a.c:3\n"
                     "0 inside 1\n"),
            "thread/finalize ranks=0 @a.c:3\n");
  EXPECT_EQ(multiple("0.1 Send dest=1 @a.c:1\n"
                     "0 Finalize ^ ... @a.c:3\n"
                     "0.1 Recv source=1 ... @a.c:2\n"),
            "thread/finalize ranks=0 @a.c:3\n");
  // It came when MPI_Finalize was no longer held back.
  EXPECT_EQ(multiple("0.1 Iprobe source=1 @a.c:1\n"
                     "0 Finalize ^ ... @a.c:3\n0 issued\n"
                     "0.1 Iprobe source=1 @a.c:2\n0.1 Iprobe source=1 ... @a.c:2\n"),
            "thread/finalize ranks=0 @a.c:3\n");
  EXPECT_EQ(multiple("0.1 Send dest=1 @a.c:1\n"
                     "0 Finalize ^ ... @a.c:3\n"
                     "0.1 Initialized\n"
                     "0 issued\n0 return\n"),
            "");
}

TEST(ThreadUse, probed_message_may_be_taken) {
  EXPECT_EQ(multiple("0 Probe source=ANY_SOURCE tag=ANY_TAG @a.c:1 -> status=(1,7,4)\n"
                     "0.1 Probe source=ANY_SOURCE tag=ANY_TAG @a.c:1 -> status=(1,7,4)\n"
                     "0 Recv source=1 tag=7 ^ ... @a.c:2\n"
                     "0.1 Recv source=1 tag=7 ^ ... @a.c:2\n"),
            "race/probe ranks=0 @a.c:1\n");
}

TEST(ThreadUse, probed_message_nobody_else_wants) {
  // Another tag; another communicator.
  EXPECT_EQ(multiple("0 Probe source=1 tag=7 @a.c:1\n"
                     "0 Recv source=1 tag=7 ^ ... @a.c:2\n"
                     "0.1 Recv source=ANY_SOURCE tag=8 ... @a.c:3\n"
                     "0.2 Recv source=1 tag=7 comm=COMM_SELF ... @a.c:4\n"),
            "");
  // Received by a lock's order.
  EXPECT_EQ(multiple("0 Probe source=1 tag=7 @a.c:1\n"
                     "0 Recv source=1 tag=7 ^ ... @a.c:2\n0 issued\n0 return\n"
                     "0.1 Probe source=1 tag=7 @a.c:1\n"
                     "0.1 Recv source=1 tag=7 ^ ... @a.c:2\n0.1 issued\n0.1 return\n"),
            "");
  // One thread probes, the other receives what it is told to.
  EXPECT_EQ(multiple("0 Probe source=1 tag=7 @a.c:1\n"
                     "0.1 Recv source=1 tag=7 @a.c:2\n"
                     "0 Recv source=1 tag=7 ^ ... @a.c:3\n"
                     "0.1 Recv source=1 tag=7 ... @a.c:2\n"),
            "");
}

TEST(ThreadUse, messages_of_two_threads_have_no_order) {
  EXPECT_EQ(multiple("0 Send dest=1 tag=5 ^ ... @a.c:2\n0.1 Isend dest=1 tag=5 ... @a.c:3\n"),
            "race/order ranks=0 @a.c:2\n");
  EXPECT_EQ(
      multiple(
          "0 Recv source=ANY_SOURCE tag=5 ^ ... @a.c:2\n0.1 Irecv source=1 tag=5 ... @a.c:3\n"),
      "race/order ranks=0 @a.c:2\n");
  // Another tag; not held back, so perhaps ordered; nobody; a send and a receive.
  EXPECT_EQ(multiple("0 Send dest=1 tag=5 ^ ... @a.c:2\n0.1 Send dest=1 tag=6 ... @a.c:3\n"), "");
  EXPECT_EQ(multiple("0 Send dest=1 tag=5 ... @a.c:2\n0.1 Send dest=1 tag=5 ... @a.c:3\n"), "");
  EXPECT_EQ(
      multiple(
          "0 Send dest=PROC_NULL tag=5 ^ ... @a.c:2\n0.1 Send dest=PROC_NULL tag=5 ... @a.c:3\n"),
      "");
  EXPECT_EQ(multiple("0 Send dest=1 tag=5 ^ ... @a.c:2\n0.1 Recv source=1 tag=5 ... @a.c:3\n"), "");
}

TEST(ThreadUse, who_got_which_message_is_not_known) {
  const std::string sent = "1 Send count=1 dest=0 tag=5\n1 Send count=2 dest=0 tag=5\n";
  EXPECT_EQ((run<ThreadUse, TypeMatch>(kMultiple + sent +
                                       "0 Recv count=2 source=1 tag=5 ...\n"
                                       "0.1 Recv count=1 source=1 tag=5 ... @a.c:2\n"
                                       "0.1 return\n0 return\n0 Finalize\n1 Finalize\n")),
            "");
  EXPECT_EQ((run<ThreadUse, TypeMatch>(kMultiple + sent +
                                       "0 Recv count=2 source=1 tag=5\n"
                                       "0.1 Recv count=1 source=1 tag=5 @a.c:2\n"
                                       "0 Finalize\n1 Finalize\n")),
            "type/truncation ranks=0 @a.c:2\n");
}

}  // namespace
}  // namespace vouch
