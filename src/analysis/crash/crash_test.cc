#include "analysis/crash/crash.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/argument/argument.h"
#include "analysis/buffer/buffer.h"
#include "analysis/collective/collective.h"
#include "analysis/leak/leak.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string ended(std::string_view text) { return run<Crash>(text); }

TEST(CrashSignal, inside_and_after_a_call) {
  EXPECT_EQ(ended("0 Barrier @a.c:1\n0 signal 11\n"), "crash/signal ranks=0 @a.c:1\n");
  EXPECT_EQ(run_messages<Crash>("0 Barrier @a.c:1\n0 signal 11\n"),
            "crash/signal: signal 11 (SIGSEGV) after MPI_Barrier\n");
  EXPECT_EQ(run_messages<Crash>("0 Recv source=1 @a.c:1 ...\n0 signal 11\n"),
            "crash/signal: signal 11 (SIGSEGV) in MPI_Recv\n");
}

TEST(CrashSignal, of_a_thread_while_another_is_inside_mpi) {
  EXPECT_EQ(
      run_messages<Crash>("0 Recv source=1 @a.c:1 ...\n0.1 Send dest=1 @a.c:2\n0.1 signal 11\n"),
      "crash/signal: signal 11 (SIGSEGV) after MPI_Send\n");
}

TEST(CrashSignal, peers_ended_by_the_launcher_are_not_findings) {
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Barrier @a.c:2\n1 signal 11\n0 killed\n"),
            "crash/signal ranks=1 @a.c:2\nnot-checked rank 0\n");
  // Also when the news come in the other order.
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Barrier @a.c:2\n0 killed\n1 signal 11\n"),
            "crash/signal ranks=1 @a.c:2\nnot-checked rank 0\n");
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Barrier @a.c:2\n1 signal 11\n0 signal 15\n"),
            "crash/signal ranks=1 @a.c:2\nnot-checked rank 0\n");
}

TEST(CrashSignal, the_first_to_vanish_is_the_cause_when_nobody_says_why) {
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Barrier @a.c:2\n1 killed\n0 killed\n"),
            "crash/signal ranks=1 @a.c:2\nnot-checked rank 0\n");
  EXPECT_EQ(run_messages<Crash>("1 Barrier @a.c:2 ...\n1 killed\n"),
            "crash/signal: killed by a signal in MPI_Barrier\n");
}

TEST(CrashSignal, before_any_call) {
  EXPECT_EQ(run_messages<Crash>("0 raw\n0 signal 8\n"),
            "crash/signal: signal 8 (SIGFPE) before any MPI call\n");
}

TEST(CrashSignal, after_finalize_too) {
  EXPECT_EQ(ended("0 Finalize @a.c:1\n0 signal 11\n"), "crash/signal ranks=0 @a.c:1\n");
}

TEST(CrashAssert, abort_outside_mpi) {
  EXPECT_EQ(ended("0 Barrier @a.c:1\n0 signal 6\n"), "crash/assert ranks=0 @a.c:1\n");
  EXPECT_EQ(ended("0 Barrier @a.c:1 ...\n0 signal 6\n"), "crash/signal ranks=0 @a.c:1\n");
}

TEST(CrashAbort, with_its_caller) {
  EXPECT_EQ(ended("0 Abort errorcode=1 @a.c:1 ...\n0 exit 1\n1 Recv source=0 ...\n1 killed\n"),
            "crash/abort ranks=0 @a.c:1\nnot-checked rank 1\n");
  EXPECT_EQ(ended("0 Abort errorcode=1 @a.c:1 ...\n0 killed\n"), "crash/abort ranks=0 @a.c:1\n");
  EXPECT_EQ(ended("0 Abort errorcode=0 @a.c:1 ...\n0 exit 0\n"),
            "crash/abort ranks=0 @a.c:1 (warning)\n");
}

TEST(CrashAbort, by_many_ranks_at_one_line) {
  EXPECT_EQ(
      ended("0 Abort errorcode=1 @a.c:1 ...\n1 Abort errorcode=1 @a.c:1 ...\n0 exit 1\n1 killed\n"),
      "crash/abort ranks=0,1 @a.c:1\n");
}

TEST(CrashAbort, because_a_call_returned_an_error) {
  const std::string text =
      "0 Recv source=1 @a.c:1 !ERR_TRUNCATE\n0 Error_string @a.c:2\n0 Abort errorcode=1 @a.c:3 "
      "...\n0 exit 1\n";
  EXPECT_EQ(ended(text), "crash/abort ranks=0 @a.c:3\n");
  EXPECT_EQ(run_messages<Crash>(text),
            "crash/abort: MPI_Abort with code 1; MPI_Recv returned MPI_ERR_TRUNCATE\n");
  // That call has a finding: the end is its consequence.
  EXPECT_EQ((run<Argument, Crash>(
                "0 Send dest=7 @a.c:1 !ERR_RANK\n0 Abort errorcode=1 @a.c:3 ...\n0 exit 1\n")),
            "argument/rank ranks=0 @a.c:1\n");
  EXPECT_EQ((run<Argument, Crash>("0 Send dest=7 @a.c:1 !ERR_RANK\n0 exit 1\n")),
            "argument/rank ranks=0 @a.c:1\n");
}

TEST(CrashExit, non_zero_without_finalize) {
  EXPECT_EQ(ended("0 Barrier @a.c:1\n0 exit 3\n"), "crash/exit ranks=0 @a.c:1\n");
  EXPECT_EQ(ended("0 Finalize\n0 exit 3\n"), "");
  EXPECT_EQ(ended("0 Barrier\n0 exit 0\n"), "");  // lifecycle/no-finalize
  EXPECT_EQ(ended("0 raw\n0 Initialized\n0 exit 3\n"), "");
}

TEST(CrashExit, by_one_thread_while_another_is_inside_mpi) {
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n0.1 Send dest=1 @a.c:2\n0.1 exit 3\n"),
            "crash/exit ranks=0 @a.c:2\n");
}

// [U67]
TEST(CrashMpiError, the_library_stopped_the_job) {
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Recv source=0 ...\n0 exit 15\n1 killed\n"),
            "crash/mpi-error ranks=0 @a.c:1\nnot-checked rank 1\n");
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Recv source=0 ...\n1 killed\n0 exit 15\n"),
            "crash/mpi-error ranks=0 @a.c:1\nnot-checked rank 1\n");
}

// [U7]: the finding is kept, the end is its consequence, nothing about killed ranks.
TEST(CrashMpiError, explained_by_a_finding) {
  EXPECT_EQ((run<Argument, Leak, Crash>("0 Comm_dup newcomm=c\n0 Send dest=7 @a.c:1 ...\n1 Recv "
                                        "source=0 ...\n0 exit 6\n1 killed\n")),
            "argument/rank ranks=0 @a.c:1\nnot-checked rank 1\n");
}

// [U8]
TEST(CrashSignal, explained_by_a_finding) {
  EXPECT_EQ((run<Argument, Crash>("0 Send comm=COMM_NULL @a.c:1 ...\n0 signal 11\n")),
            "argument/communicator ranks=0 @a.c:1\n");
}

TEST(CrashMpiError, a_library_that_gives_up_after_a_peer_crashed) {
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 ...\n1 Barrier @a.c:2\n1 signal 11\n0 exit 15\n"),
            "crash/signal ranks=1 @a.c:2\nnot-checked rank 0\n");
}

// [U51]: the calls that the library stops in, or returns an error from, are correct; what
// the ones before left behind is not.
TEST(CrashMpiError, later_than_the_collectives_that_disagreed) {
  const std::string disagree =
      "0 Bcast count=9 root=0 @a.c:1\n1 Reduce count=9 root=0 op=SUM @a.c:2\n";
  EXPECT_EQ((run<Collective, Crash>(disagree + "0 Bcast count=1 root=0 @a.c:3 ...\n"
                                               "1 Bcast count=1 root=0 @a.c:3 ...\n1 exit 15\n"
                                               "0 killed\n")),
            "collective/mismatch ranks=0,1 @a.c:1\nnot-checked rank 0\n");
  EXPECT_EQ((run<Collective, Crash>(disagree + "1 Barrier @a.c:4 ...\n1 signal 11\n0 Finalize\n")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
  EXPECT_EQ((run<Collective, Crash>(disagree + "0 Bcast count=1 root=0 @a.c:3\n"
                                               "1 Bcast count=1 root=0 @a.c:3 !ERR_TRUNCATE\n"
                                               "0 Finalize\n1 Finalize\n")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
}

// A message over the end of its block destroys the heap; the program finds out much later.
TEST(CrashSignal, after_memory_was_overwritten) {
  EXPECT_EQ((run<BufferUse, Crash>("0 block 0x1000 36\n0 Bcast buffer=0x1000 count=10 datatype=INT "
                                   "root=1 @a.c:1\n0 Barrier @a.c:2\n0 signal 6\n")),
            "buffer/bounds ranks=0 @a.c:1\n");
  EXPECT_EQ((run<BufferUse, Crash>("0 block 0x1000 40\n0 Bcast buffer=0x1000 count=10 datatype=INT "
                                   "root=1 @a.c:1\n0 Barrier @a.c:2\n0 signal 6\n")),
            "crash/assert ranks=0 @a.c:2\n");
}

// The message comes while the program is in another call.
TEST(CrashSignal, when_a_message_comes_for_a_null_buffer) {
  const std::string later = "request=r @a.c:1\n0 Send dest=1 @a.c:2 ...\n0 signal 11\n";
  EXPECT_EQ((run<Argument, Crash>("0 Irecv buf=0x0 count=3 source=1 " + later)),
            "argument/buffer-null ranks=0 @a.c:1\n");
  EXPECT_EQ((run<Argument, Crash>("0 Irecv buf=0x40 count=3 source=1 " + later)),
            "crash/signal ranks=0 @a.c:2\n");
}

// [U67]
TEST(CrashErrorReturn, an_error_that_nothing_explains) {
  EXPECT_EQ(ended("0 Recv source=1 @a.c:1 !ERR_TRUNCATE\n0 Finalize\n"),
            "crash/error-return ranks=0 @a.c:1\n");
  EXPECT_EQ(run_messages<Crash>("0 Recv source=1 @a.c:1 !ERR_TRUNCATE\n0 Recv source=1 @a.c:1 "
                                "!ERR_TRUNCATE\n0 Finalize\n"),
            "crash/error-return: MPI_ERR_TRUNCATE returned 2 times, the program went on\n");
}

// [U67]
TEST(CrashErrorReturn, errors_that_programs_expect) {
  EXPECT_EQ(
      ended("0 File_open !ERR_NO_SUCH_FILE\n0 Lookup_name !ERR_NAME\n0 Comm_spawn !ERR_SPAWN\n"
            "0 Comm_call_errhandler !ERR_OTHER\n"
            "0 Irecv source=1 request=r\n0 Waitall requests=[r] !ERR_IN_STATUS\n0 Finalize\n"),
      "");
}

// [U9]
TEST(CrashErrorReturn, explained_by_a_finding) {
  EXPECT_EQ((run<Argument, Crash>("0 Send dest=7 @a.c:1 !ERR_RANK\n0 Send dest=1\n0 Finalize\n")),
            "argument/rank ranks=0 @a.c:1\n");
}

TEST(Crash, an_orderly_end_says_nothing) {
  EXPECT_EQ(ended("0 Barrier\n1 Barrier\n0 Finalize\n1 Finalize\n"), "");
}

}  // namespace
}  // namespace vouch
