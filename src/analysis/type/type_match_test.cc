#include "analysis/type/type_match.h"

#include <gtest/gtest.h>

#include "analysis/crash/crash.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string found(std::string_view text) { return run<TypeMatch>(text); }

// One message from rank 0 to rank 1, the sides given by their counts and types.
std::string pair(const std::string& sent, const std::string& received,
                 const std::string& before = "") {
  return found(before + "0 Send " + sent + " dest=1 tag=7 @s.c:1\n1 Recv " + received +
               " source=0 tag=7 @r.c:2\n");
}

// What both ranks make first.
std::string on_both(const std::string& calls) {
  std::string text;
  for (const char* rank : {"0 ", "1 "}) {
    for (std::size_t at = 0; at < calls.size();) {
      const std::size_t end = calls.find('\n', at);
      text += rank + calls.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  return text;
}

TEST(TypeMismatch, integers_received_as_floats) {
  EXPECT_EQ(pair("count=2 type=INT", "count=2 type=FLOAT"), "type/mismatch ranks=1 @r.c:2\n");
  EXPECT_EQ(
      run_messages<TypeMatch>(
          "0 Send count=2 type=INT dest=1 @s.c:1\n1 Recv count=2 type=FLOAT source=0 @r.c:2\n"),
      "type/mismatch: item 0: sent MPI_INT, received as MPI_FLOAT\n");
}

TEST(TypeMismatch, the_same_sequence_in_another_layout) {
  const std::string types = on_both(
      "Type_vector count=5 blocklength=2 stride=3 oldtype=INT newtype=v\nType_commit datatype=v\n"
      "Type_contiguous count=10 oldtype=INT newtype=c\nType_commit datatype=c\n");
  EXPECT_EQ(pair("count=10 type=INT", "count=1 type=v", types), "");
  EXPECT_EQ(pair("count=1 type=c", "count=1 type=v", types), "");
  EXPECT_EQ(pair("count=1 type=v", "count=10 type=INT", types), "");
  EXPECT_EQ(pair("count=1 type=2INT", "count=2 type=INT"), "");
  EXPECT_EQ(pair("count=1 type=v", "count=10 type=FLOAT", types), "type/mismatch ranks=1 @r.c:2\n");
}

// [U57]
TEST(TypeMismatch, names_the_field_of_the_struct) {
  const std::string text = on_both(
      "Type_create_struct count=3 blocklengths=[1,1,2] displacements=[0,8,16] "
      "types=[INT,DOUBLE,INT] newtype=a @t.c:14\n"
      "Type_commit datatype=a\n"
      "Type_create_struct count=3 blocklengths=[1,1,2] displacements=[0,8,16] "
      "types=[INT,DOUBLE,FLOAT] newtype=b @t.c:20\n"
      "Type_commit datatype=b\n");
  const std::string messages = run_messages<TypeMatch>(
      text + "0 Send count=4 type=a dest=1 @s.c:1\n1 Recv count=4 type=b source=0 @r.c:2\n");
  EXPECT_EQ(messages.substr(0, messages.find("; sent")),
            "type/mismatch: item 2: sent MPI_INT, received as MPI_FLOAT");
  EXPECT_NE(messages.find("sent from element 0, field 2[0] of the struct made at "),
            std::string::npos)
      << messages;
  EXPECT_NE(messages.find("received into element 0, field 2[0] of the struct made at "),
            std::string::npos)
      << messages;
}

TEST(TypeMismatch, a_long_receive_and_a_message_that_ends_inside_an_element) {  // [U14]
  const std::string types = on_both(
      "Type_create_struct count=2 blocklengths=[1,1] displacements=[0,8] types=[INT,DOUBLE] "
      "newtype=p\nType_commit datatype=p\n");
  EXPECT_EQ(pair("count=1 type=INT", "count=10 type=INT"), "");
  EXPECT_EQ(pair("count=1 type=INT", "count=3 type=p", types), "");
  EXPECT_EQ(pair("count=0 type=FLOAT", "count=3 type=INT"), "");
  EXPECT_EQ(pair("count=0 type=FLOAT", "count=0 type=INT"), "");
}

// MPI-4.1 3.3.1: MPI_BYTE matches MPI_BYTE only; a part of an element is not even alike here.
TEST(TypeMismatch, bytes_that_end_inside_an_element) {
  const std::string types = on_both(
      "Type_create_struct count=2 blocklengths=[1,1] displacements=[0,8] types=[INT,DOUBLE] "
      "newtype=p\nType_commit datatype=p\n");
  EXPECT_EQ(pair("count=13 type=BYTE", "count=4 type=DOUBLE"), "type/mismatch ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=18 type=BYTE", "count=3 type=p", types), "type/mismatch ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=16 type=BYTE", "count=3 type=p", types),
            "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=13 type=BYTE", "count=20 type=BYTE"), "");
  EXPECT_EQ(pair("count=13 type=PACKED", "count=4 type=DOUBLE"), "");
  EXPECT_EQ(run_messages<TypeMatch>("0 Send count=13 type=BYTE dest=1\n"
                                    "1 Recv count=4 type=DOUBLE source=0\n"),
            "type/mismatch: item 8: sent MPI_BYTE, received as MPI_DOUBLE\n");
}

// [U15]
TEST(TypeEquivalent, the_four_of_u15) {
  EXPECT_EQ(pair("count=4 type=BYTE", "count=1 type=INT"), "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=1 type=INT", "count=4 type=BYTE"), "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=8 type=BYTE", "count=4 type=INT"), "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=4 type=PACKED", "count=1 type=INT"), "");
  EXPECT_EQ(pair("count=1 type=INT", "count=4 type=PACKED"), "");
  EXPECT_EQ(pair("count=1 type=INT", "count=1 type=FLOAT"), "type/mismatch ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=1 type=INT", "count=1 type=INT32_T"), "type/equivalent ranks=1 @r.c:2\n");
}

TEST(TypeEquivalent, other_names_for_the_same) {
  EXPECT_EQ(pair("count=1 type=INT", "count=1 type=INTEGER"), "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=1 type=DOUBLE", "count=1 type=DOUBLE_PRECISION"),
            "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=1 type=LONG", "count=1 type=LONG_LONG"),
            "type/equivalent ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=1 type=LONG_LONG", "count=1 type=LONG_LONG_INT"), "");
  EXPECT_EQ(pair("count=3 type=BYTE", "count=3 type=BYTE"), "");
  EXPECT_EQ(pair("count=1 type=LOGICAL", "count=1 type=INTEGER"), "type/mismatch ranks=1 @r.c:2\n");
}

// [U57]
TEST(TypeTruncation, more_sent_than_there_is_room) {
  EXPECT_EQ(pair("count=5 type=INT", "count=4 type=INT"), "type/truncation ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=4 type=INT", "count=5 type=INT"), "");
  EXPECT_EQ(pair("count=5 type=INT", "count=4 type=PACKED"), "type/truncation ranks=1 @r.c:2\n");
  EXPECT_EQ(pair("count=5 type=DOUBLE", "count=9 type=INT"), "type/truncation ranks=1 @r.c:2\n");
  EXPECT_EQ(
      run_messages<TypeMatch>("0 Send count=5 type=INT dest=1\n1 Recv count=4 type=INT source=0\n"),
      "type/truncation: 20 bytes sent, room for 16\n");
}

TEST(TypeTruncation, in_every_kind_of_receive) {
  const std::string send = "0 Send count=5 type=INT dest=1 tag=7\n";
  EXPECT_EQ(found(send + "1 Irecv count=4 source=0 tag=7 request=r @r.c:1\n1 Wait request=r "
                         "!ERR_TRUNCATE -> request=REQUEST_NULL\n"),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(found(send + "1 Mprobe source=0 tag=7 message=m\n1 Mrecv count=4 message=m @r.c:1\n"),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(found(send + "1 Mprobe source=0 tag=7 message=m\n1 Imrecv count=4 message=m @r.c:1\n"),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(
      found(send + "1 Sendrecv sendcount=1 dest=PROC_NULL recvcount=4 source=0 recvtag=7 @r.c:1\n"),
      "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(found(send + "1 Sendrecv_replace count=4 dest=PROC_NULL source=0 recvtag=7 @r.c:1\n"),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(found(send + "1 Recv_init count=4 source=0 tag=7 request=r @r.c:1\n1 Start "
                         "request=r\n1 Wait request=r\n"),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(
      found(send + "1 Recv count=4 source=ANY_SOURCE tag=ANY_TAG @r.c:1 -> status=(0,7,20)\n"),
      "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(found(send + "1 Mprobe source=0 tag=7 message=m\n1 Mrecv count=5 message=m\n"), "");
}

TEST(TypeMatch, looks_at_nothing_with_proc_null_or_poison) {
  EXPECT_EQ(
      found("0 Send count=5 type=INT dest=PROC_NULL\n0 Recv count=1 type=FLOAT source=PROC_NULL\n"),
      "");
}

TEST(TypeMatch, a_type_freed_while_the_operation_is_pending) {
  EXPECT_EQ(
      found("0 Type_contiguous count=3 oldtype=INT newtype=t\n0 Type_commit datatype=t\n"
            "0 Isend count=1 type=t dest=1 request=q\n0 Type_free datatype=t\n0 Wait request=q\n"
            "1 Recv count=3 type=FLOAT source=0 @r.c:1\n"),
      "type/mismatch ranks=1 @r.c:1\n");
}

TEST(TypeMatch, reports_once_however_often_a_line_is_wrong) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "0 Send count=1 type=INT dest=1 @s.c:1\n1 Recv count=1 type=FLOAT source=0 @r.c:1\n";
  EXPECT_EQ(found(text), "type/mismatch ranks=1 @r.c:1\n");
}

TEST(TypeMatch, explains_a_library_that_stops_the_job_in_the_receive) {
  const std::string send = "0 Send count=5 type=INT dest=1 tag=7 @s.c:1\n0 Finalize\n";
  EXPECT_EQ((run<TypeMatch, Crash>(send + "1 Recv count=4 source=0 tag=7 @r.c:1 ...\n1 exit 15\n")),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ((run<TypeMatch, Crash>(
                send + "1 Recv count=4 source=ANY_SOURCE tag=7 @r.c:1 ...\n1 exit 15\n")),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ((run<TypeMatch, Crash>(send + "1 Irecv count=4 source=0 tag=7 request=r @r.c:1\n1 Wait "
                                          "request=r @r.c:2 ...\n1 exit 15\n")),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(
      (run<TypeMatch, Crash>(
          send +
          "1 Irecv count=4 source=0 tag=7 request=r @r.c:1\n1 Waitall requests=[r] @r.c:2 ...\n"
          "1 exit 15\n")),
      "type/truncation ranks=1 @r.c:1\n");
}

// Which of several messages a receive took in which the library stopped the job: the one that was
// too long, if only one was.
TEST(TypeMatch, explains_which_message_was_too_long) {
  const std::string senders =
      "0 Send count=4 type=INT dest=1 tag=7 @s.c:1\n0 Finalize\n"
      "2 Send count=5 type=INT dest=1 tag=7 @s.c:2\n2 Finalize\n";
  const std::string receive = "1 Recv count=4 source=ANY_SOURCE tag=7 @r.c:1 ...\n1 exit 15\n";
  EXPECT_EQ((run<TypeMatch, Crash>(senders + receive)), "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(run_messages<TypeMatch>(senders + receive),
            "type/truncation: 20 bytes sent, room for 16\n");
  EXPECT_EQ(
      (run<TypeMatch, Crash>(senders + "1 Irecv count=4 source=ANY_SOURCE tag=7 request=r @r.c:1\n"
                                       "1 Wait request=r @r.c:2 ...\n1 exit 15\n")),
      "type/truncation ranks=1 @r.c:1\n");
  // Either may have been taken.
  EXPECT_EQ((run<TypeMatch, Crash>(
                senders + "1 Recv count=3 source=ANY_SOURCE tag=7 @r.c:1 ...\n1 exit 15\n")),
            "crash/mpi-error ranks=1 @r.c:1\n");
}

TEST(TypeMatch, explains_an_error_that_is_returned) {
  const std::string send = "0 Send count=5 type=INT dest=1 tag=7 @s.c:1\n0 Finalize\n";
  EXPECT_EQ((run<TypeMatch, Crash>(
                send + "1 Recv count=4 source=0 tag=7 @r.c:1 !ERR_TRUNCATE\n1 Finalize\n")),
            "type/truncation ranks=1 @r.c:1\n");
  EXPECT_EQ(
      (run<TypeMatch, Crash>(
          send + "1 Irecv count=4 source=0 tag=7 request=r @r.c:1\n"
                 "1 Wait request=r @r.c:2 !ERR_TRUNCATE -> request=REQUEST_NULL\n1 Finalize\n")),
      "type/truncation ranks=1 @r.c:1\n");
}

TEST(TypeMatch, partitioned_sides_describe_the_same_data) {
  EXPECT_EQ(
      found(
          "0 Psend_init partitions=8 count=1 dest=1\n1 Precv_init partitions=4 count=2 source=0\n"),
      "");
  EXPECT_EQ(found("0 Psend_init partitions=8 count=1 dest=1\n1 Precv_init partitions=4 count=1 "
                  "source=0 @r.c:1\n"),
            "request/partition ranks=1 @r.c:1\n");
  EXPECT_EQ(found("0 Psend_init partitions=8 count=1 dest=1\n1 Precv_init partitions=8 count=1 "
                  "type=FLOAT source=0 @r.c:1\n"),
            "type/mismatch ranks=1 @r.c:1\n");
}

}  // namespace
}  // namespace vouch
