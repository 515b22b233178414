#include "analysis/request/request.h"

#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/argument/unseen.h"
#include "analysis/leak/leak.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string used(std::string_view text) { return run<RequestUse>(text); }

// request/handle ---------------------------------------------------------------------------------

// [U61]
TEST(RequestHandle, a_copy_waited_for_after_completion) {
  EXPECT_EQ(used("0 Irecv source=1 request=r @a.c:1\n"
                 "0 Wait request=r @a.c:2\n"
                 "0 Wait request=r @a.c:3\n"),
            "request/handle ranks=0 @a.c:3\n");
}

TEST(RequestHandle, the_same_variable_waited_for_twice_is_null_by_then) {
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Wait request=r\n0 Wait request=REQUEST_NULL\n"),
            "");
}

TEST(RequestHandle, a_stale_entry_of_an_array) {
  EXPECT_EQ(used("0 Irecv source=1 request=a @a.c:1\n0 Irecv source=1 request=b @a.c:2\n"
                 "0 Wait request=a @a.c:3\n"
                 "0 Waitall requests=[a,b] @a.c:4\n"),
            "request/handle ranks=0 @a.c:4\n");
}

// The warning about the free says nothing about the use of a copy afterwards.
TEST(RequestHandle, used_after_the_free_of_a_receive) {
  EXPECT_EQ(used("0 Irecv source=1 request=r @a.c:1\n0 Request_free request=r @a.c:2\n"
                 "0 Cancel request=r @a.c:3\n"),
            "request/free ranks=0 @a.c:2 (warning)\nrequest/handle ranks=0 @a.c:3\n");
  EXPECT_EQ(used("0 Ibarrier request=r @a.c:1\n0 Request_free request=r @a.c:2\n"
                 "0 Wait request=r @a.c:3\n"),
            "request/free ranks=0 @a.c:2\nrequest/handle ranks=0 @a.c:3\n");
}

// [U61]
TEST(RequestHandle, null_where_a_request_is_needed) {
  for (const char* call :
       {"Start", "Cancel", "Request_free", "Pready partition=0", "Grequest_complete"})
    EXPECT_EQ(used(std::string("0 ") + call + " request=REQUEST_NULL @a.c:1\n"),
              "request/handle ranks=0 @a.c:1\n")
        << call;
  EXPECT_EQ(used("0 Startall requests=[REQUEST_NULL] @a.c:1\n"), "request/handle ranks=0 @a.c:1\n");
}

TEST(RequestHandle, null_where_it_is_defined) {
  EXPECT_EQ(used("0 Wait request=REQUEST_NULL\n0 Test request=REQUEST_NULL -> flag=true\n"
                 "0 Waitall requests=[REQUEST_NULL,REQUEST_NULL]\n"
                 "0 Request_get_status request=REQUEST_NULL -> flag=true\n"
                 "0 Parrived request=REQUEST_NULL partition=0 -> flag=true\n"),
            "");
}

TEST(RequestHandle, used_after_request_free) {
  EXPECT_EQ(
      used("0 Isend dest=1 request=r\n0 Request_free request=r @a.c:2\n0 Wait request=r @a.c:3\n"),
      "request/handle ranks=0 @a.c:3\n");
  EXPECT_EQ(run_messages<RequestUse>(
                "0 Isend dest=1 request=r\n0 Request_free request=r\n0 Wait request=r\n"),
            "request/handle: request was already freed\n");
}

// [U10]
TEST(RequestHandle, an_unseen_birth_is_a_gap_and_no_finding) {
  EXPECT_EQ((run<RequestUse, UnseenHandles>("0 Wait request=0x7777 @a.c:1\n")),
            "not-checked MPI_Request\n");
}

// [U61]
TEST(RequestHandle, a_reissued_value_is_the_new_request) {
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Wait request=r\n0 Irecv source=1 request=r\n0 Wait "
                 "request=r\n"),
            "");
}

// Both libraries give all requests that complete at once one handle.
TEST(RequestHandle, requests_that_share_a_handle) {
  EXPECT_EQ(used("0 Isend dest=1 request=r&0x100\n0 Isend dest=1 request=r&0x108\n0 Isend dest=1 "
                 "request=r&0x110\n"
                 "0 Waitall requests=[r,r,r]&0x100\n"),
            "");
  EXPECT_EQ(used("0 Isend dest=1 request=r&0x100\n0 Isend dest=1 request=r&0x108\n"
                 "0 Wait request=r&0x100\n0 Wait request=r&0x108\n0 Wait request=r&0x108 @a.c:5\n"),
            "request/handle ranks=0 @a.c:5\n");
}

// [U25]
TEST(RequestHandle, drain_loops_over_null_and_inactive_entries) {
  EXPECT_EQ(used("0 Irecv source=1 request=a\n0 Send_init dest=1 request=p\n"
                 "0 Waitany requests=[REQUEST_NULL,a,p] -> index=1\n"
                 "0 Waitany requests=[REQUEST_NULL,REQUEST_NULL,p] -> index=UNDEFINED\n"
                 "0 Waitsome requests=[REQUEST_NULL,p] -> outcount=UNDEFINED\n"
                 "0 Testsome requests=[p,p] -> outcount=UNDEFINED\n"),
            "");
}

// [U26], in small: the bench runs it long.
TEST(RequestHandle, make_and_complete_many_times) {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "0 Irecv source=1 request=r" + std::to_string(i % 7) + "\n0 Wait request=r" +
            std::to_string(i % 7) + "\n";
  EXPECT_EQ(used(text), "");
}

// request/start ----------------------------------------------------------------------------------

TEST(RequestStart, of_an_active_request) {
  EXPECT_EQ(
      used("0 Recv_init source=1 request=r\n0 Start request=r @a.c:2\n0 Start request=r @a.c:3\n"),
      "request/start ranks=0 @a.c:3\n");
}

TEST(RequestStart, after_completion) {
  EXPECT_EQ(
      used(
          "0 Recv_init source=1 request=r\n0 Start request=r\n0 Wait request=r\n0 Start request=r\n"
          "0 Test request=r -> flag=true\n0 Startall requests=[r]\n"),
      "");
}

TEST(RequestStart, of_a_request_that_is_not_persistent) {
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Start request=r @a.c:2\n"),
            "request/start ranks=0 @a.c:2\n");
}

TEST(RequestStart, twice_in_one_array) {
  EXPECT_EQ(used("0 Recv_init source=1 request=r\n0 Startall requests=[r,r] @a.c:2\n"),
            "request/start ranks=0 @a.c:2\n");
}

TEST(RequestStart, a_test_without_success_leaves_it_active) {
  EXPECT_EQ(
      used("0 Recv_init source=1 request=r\n0 Start request=r\n0 Test request=r -> flag=false\n"
           "0 Start request=r @a.c:4\n"),
      "request/start ranks=0 @a.c:4\n");
}

// request/never-started --------------------------------------------------------------------------

TEST(RequestNeverStarted, waited_for_or_freed) {
  EXPECT_EQ(used("0 Recv_init source=1 request=r @a.c:1\n0 Wait request=r @a.c:2\n"),
            "request/never-started ranks=0 @a.c:2\n");
  EXPECT_EQ(used("0 Recv_init source=1 request=r @a.c:1\n0 Request_free request=r @a.c:2\n"),
            "request/never-started ranks=0 @a.c:2\n");
}

TEST(RequestNeverStarted, silent_in_arrays_and_after_a_first_start) {
  EXPECT_EQ(used("0 Recv_init source=1 request=r\n0 Waitall requests=[r]\n"), "");
  EXPECT_EQ(
      used("0 Recv_init source=1 request=r\n0 Start request=r\n0 Wait request=r\n0 Wait request=r\n"
           "0 Request_free request=r\n"),
      "");
}

// request/free -----------------------------------------------------------------------------------

TEST(RequestFree, operations_that_must_be_completed) {
  EXPECT_EQ(used("0 Ibarrier request=r @a.c:1\n0 Request_free request=r @a.c:2\n"),
            "request/free ranks=0 @a.c:2\n");
  EXPECT_EQ(used("0 Comm_idup newcomm=c request=r @a.c:1\n0 Request_free request=r @a.c:2\n"),
            "request/free ranks=0 @a.c:2\n");
  EXPECT_EQ(used("0 Psend_init partitions=2 dest=1 request=r\n0 Start request=r\n0 Request_free "
                 "request=r @a.c:3\n"),
            "request/free ranks=0 @a.c:3\n");
  EXPECT_EQ(used("0 Win_create win=w\n0 Rput win=w target_rank=1 request=r\n0 Request_free "
                 "request=r @a.c:3\n"),
            "request/free ranks=0 @a.c:3\n");
}

TEST(RequestFree, an_active_receive_is_a_warning) {
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Request_free request=r @a.c:2\n"),
            "request/free ranks=0 @a.c:2 (warning)\n");
}

// [U24]
TEST(RequestFree, sends_inactive_and_cancelled_ones) {
  EXPECT_EQ(used("0 Isend dest=1 request=r\n0 Request_free request=r\n0 Finalize\n"), "");
  EXPECT_EQ(used("0 Allreduce_init request=r\n0 Start request=r\n0 Wait request=r\n0 Request_free "
                 "request=r\n"),
            "");
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Cancel request=r\n0 Request_free request=r\n"), "");
}

// request/cancel ---------------------------------------------------------------------------------

TEST(RequestCancel, what_cannot_be_cancelled) {
  EXPECT_EQ(used("0 Ibcast request=r\n0 Cancel request=r @a.c:2\n"),
            "request/cancel ranks=0 @a.c:2\n");
  EXPECT_EQ(used("0 Precv_init partitions=2 source=1 request=r\n0 Start request=r\n0 Cancel "
                 "request=r @a.c:3\n"),
            "request/cancel ranks=0 @a.c:3\n");
  EXPECT_EQ(used("0 Recv_init source=1 request=r\n0 Cancel request=r @a.c:2\n"),
            "request/cancel ranks=0 @a.c:2\n");
}

TEST(RequestCancel, a_send_is_only_remarked) {
  EXPECT_EQ(used("0 Isend dest=1 request=r\n0 Cancel request=r @a.c:2\n0 Wait request=r\n"),
            "request/cancel ranks=0 @a.c:2 (info)\n");
}

// [U33]
TEST(RequestCancel, a_receive_whether_it_completes_or_not) {
  EXPECT_EQ(
      used(
          "0 Irecv source=1 request=r\n0 Cancel request=r\n0 Wait request=r -> status=(1,0,4,0,1)\n"
          "0 Irecv source=1 request=r\n0 Cancel request=r\n0 Wait request=r -> status=(1,0,4)\n"),
      "");
}

// request/duplicate ------------------------------------------------------------------------------

TEST(RequestDuplicate, one_active_request_twice) {
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Waitall requests=[r,r] @a.c:2\n"),
            "request/duplicate ranks=0 @a.c:2\n");
  EXPECT_EQ(used("0 Irecv source=1 request=a\n0 Irecv source=1 request=b\n"
                 "0 Testany requests=[a,b,a] @a.c:3 -> flag=false index=UNDEFINED\n"),
            "request/duplicate ranks=0 @a.c:3\n");
}

TEST(RequestDuplicate, nulls_and_inactive_ones) {
  EXPECT_EQ(used("0 Waitall requests=[REQUEST_NULL,REQUEST_NULL]\n"), "");
  EXPECT_EQ(used("0 Send_init dest=1 request=p\n0 Start request=p\n0 Wait request=p\n0 Waitall "
                 "requests=[p,p]\n"),
            "");
}

TEST(RequestDuplicate, more_entries_than_requests_that_share_the_handle) {
  EXPECT_EQ(used("0 Isend dest=1 request=r&0x100\n0 Isend dest=1 request=r&0x108\n"
                 "0 Waitall requests=[r,r,r]&0x100 @a.c:3\n"),
            "request/duplicate ranks=0 @a.c:3\n");
}

// request/partition ------------------------------------------------------------------------------

TEST(RequestPartition, ready_twice) {
  const std::string start = "0 Psend_init partitions=4 dest=1 request=r\n0 Start request=r\n";
  EXPECT_EQ(used(start + "0 Pready partition=0 request=r\n0 Pready partition=0 request=r @a.c:4\n"),
            "request/partition ranks=0 @a.c:4\n");
  EXPECT_EQ(used(start + "0 Pready_range partition_low=0 partition_high=2 request=r\n"
                         "0 Pready_list array_of_partitions=[3,1] request=r @a.c:4\n"),
            "request/partition ranks=0 @a.c:4\n");
  EXPECT_EQ(used(start + "0 Pready_list array_of_partitions=[2,2] request=r @a.c:3\n"),
            "request/partition ranks=0 @a.c:3\n");
}

TEST(RequestPartition, out_of_range) {
  const std::string start = "0 Psend_init partitions=4 dest=1 request=r\n0 Start request=r\n";
  EXPECT_EQ(used(start + "0 Pready partition=4 request=r @a.c:3\n"),
            "request/partition ranks=0 @a.c:3\n");
  EXPECT_EQ(used(start + "0 Pready_range partition_low=2 partition_high=4 request=r @a.c:3\n"),
            "request/partition ranks=0 @a.c:3\n");
  EXPECT_EQ(used("0 Precv_init partitions=2 source=1 request=r\n0 Start request=r\n"
                 "0 Parrived partition=2 request=r @a.c:3 -> flag=false\n"),
            "request/partition ranks=0 @a.c:3\n");
}

TEST(RequestPartition, on_the_wrong_request) {
  EXPECT_EQ(
      used("0 Psend_init partitions=4 dest=1 request=r\n0 Pready partition=0 request=r @a.c:2\n"),
      "request/partition ranks=0 @a.c:2\n");
  EXPECT_EQ(used("0 Isend dest=1 request=r\n0 Pready partition=0 request=r @a.c:2\n"),
            "request/partition ranks=0 @a.c:2\n");
  EXPECT_EQ(
      used("0 Irecv source=1 request=r\n0 Parrived partition=0 request=r @a.c:2 -> flag=false\n"),
      "request/partition ranks=0 @a.c:2\n");
}

TEST(RequestPartition, wildcards_in_a_partitioned_receive) {
  EXPECT_EQ(used("0 Precv_init partitions=2 source=ANY_SOURCE tag=0 request=r @a.c:1\n"),
            "request/partition ranks=0 @a.c:1\n");
  EXPECT_EQ(used("0 Precv_init partitions=2 source=1 tag=ANY_TAG request=r @a.c:1\n"),
            "request/partition ranks=0 @a.c:1\n");
}

// [U35]
TEST(RequestPartition, eight_by_one_to_four_by_two_from_threads) {
  std::string text =
      "0 Psend_init partitions=8 dest=1 request=s\n1 Precv_init partitions=4 source=0 request=q\n";
  for (int round = 0; round < 2; ++round) {
    text += "0 Start request=s\n1 Start request=q\n";
    for (int i = 0; i < 8; ++i)
      text += "0." + std::to_string(i % 2) + " Pready partition=" + std::to_string(7 - i) +
              " request=s\n";
    text +=
        "1 Parrived partition=3 request=q -> flag=true\n1.1 Parrived partition=3 request=q -> "
        "flag=true\n"
        "0 Wait request=s\n1 Wait request=q\n1 Parrived partition=0 request=q -> flag=true\n";
  }
  EXPECT_EQ(used(text + "0 Request_free request=s\n1 Request_free request=q\n"), "");
}

// request/message --------------------------------------------------------------------------------

TEST(RequestMessage, received_twice_or_never_matched) {
  EXPECT_EQ(used("0 Mprobe source=1 message=m @a.c:1\n0 Mrecv message=m @a.c:2\n0 Mrecv message=m "
                 "@a.c:3\n"),
            "request/message ranks=0 @a.c:3\n");
  EXPECT_EQ(used("0 Imrecv message=MESSAGE_NULL request=r @a.c:1\n"),
            "request/message ranks=0 @a.c:1\n");
}

TEST(RequestMessage, converting_a_null_handle_is_defined) {
  EXPECT_EQ(used("0 Message_c2f message=MESSAGE_NULL\n0 Request_c2f request=REQUEST_NULL\n"), "");
}

TEST(RequestMessage, no_proc_and_a_probe_that_found_nothing) {
  EXPECT_EQ(
      used("0 Mprobe source=PROC_NULL message=MESSAGE_NO_PROC\n0 Mrecv message=MESSAGE_NO_PROC\n"
           "0 Mrecv message=MESSAGE_NO_PROC\n"
           "0 Improbe source=1 -> flag=false\n"
           "0 Improbe source=1 -> flag=true message=m\n0 Imrecv message=m request=r\n0 Wait "
           "request=r\n"),
      "");
}

// request/grequest -------------------------------------------------------------------------------

TEST(RequestGrequest, completed_twice_or_of_another_kind) {
  EXPECT_EQ(used("0 Grequest_start request=g\n0 Grequest_complete request=g @a.c:2\n0 "
                 "Grequest_complete request=g @a.c:3\n"),
            "request/grequest ranks=0 @a.c:3\n");
  EXPECT_EQ(used("0 Irecv source=1 request=r\n0 Grequest_complete request=r @a.c:2\n"),
            "request/grequest ranks=0 @a.c:2\n");
}

TEST(RequestGrequest, once_before_or_during_the_wait) {
  EXPECT_EQ(used("0 Grequest_start request=g\n0 Grequest_complete request=g\n0 Wait request=g\n"),
            "");
  EXPECT_EQ(used("0 Grequest_start request=g\n0 Wait request=g ...\n0.1 Grequest_complete "
                 "request=g\n0 return\n"),
            "");
}

// MPI-4.1 13.2: freeing and completing come in any order, but each only once.
TEST(RequestGrequest, freed_before_it_is_complete) {
  const std::string freed = "0 Grequest_start request=g\n0 Request_free request=g\n";
  EXPECT_EQ(used(freed + "0 Grequest_complete request=g\n"), "");
  EXPECT_EQ(used(freed + "0.1 Grequest_complete request=g\n"), "");
  EXPECT_EQ(used(freed + "0 Grequest_complete request=g\n0 Grequest_complete request=g @a.c:4\n"),
            "request/handle ranks=0 @a.c:4\n");
  EXPECT_EQ(used("0 Grequest_start request=g\n0 Grequest_complete request=g\n0 Request_free "
                 "request=g\n0 Grequest_complete request=g @a.c:4\n"),
            "request/handle ranks=0 @a.c:4\n");
  EXPECT_EQ(used("0 Grequest_start request=g\n0 Grequest_complete request=g\n0 Wait request=g\n0 "
                 "Grequest_complete request=g @a.c:4\n"),
            "request/handle ranks=0 @a.c:4\n");
}

// Poisoning ---------------------------------------------------------------------------------------

// [U4]: what follows from a broken call is no finding of its own.
TEST(RequestUse, a_request_of_a_broken_call_says_no_more) {
  EXPECT_EQ((run<Argument, RequestUse, Leak>(
                "0 Isend dest=7 request=r @a.c:1\n0 Start request=r\n0 Finalize\n")),
            "argument/rank ranks=0 @a.c:1\n");
}

// The main thread's wait returns, and it starts anew, before the other thread is back.
TEST(RequestUse, a_thread_that_made_parts_ready_comes_back_late) {
  EXPECT_EQ(used("0 Psend_init partitions=2 dest=1 request=r\n0 Start request=r\n"
                 "0.1 Pready_range partition_low=0 partition_high=1 request=r ...\n"
                 "0 Wait request=r\n0 Start request=r\n0.1 return\n"
                 "0 Pready_range partition_low=0 partition_high=1 request=r\n0 Wait request=r\n"),
            "");
}

TEST(RequestUse, a_thread_that_completed_a_generalized_request_comes_back_late) {
  EXPECT_EQ(used("0 Grequest_start request=r\n0 Wait request=r ...\n"
                 "0.1 Grequest_complete request=r ...\n0 return\n0 Grequest_start request=r\n"
                 "0.1 return\n0.1 Grequest_complete request=r\n0 Wait request=r\n"),
            "");
  EXPECT_EQ(used("0 Grequest_start request=r\n0.1 Grequest_complete request=r ...\n"
                 "0 Grequest_complete request=r @a.c:2\n"),
            "request/grequest ranks=0 @a.c:2\n");
}

}  // namespace
}  // namespace vouch
