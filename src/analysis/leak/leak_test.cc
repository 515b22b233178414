#include "analysis/leak/leak.h"

#include <gtest/gtest.h>

#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string left(std::string_view text) { return run<Leak>(text); }

TEST(Leak, each_kind_by_the_line_that_made_it) {
  const std::pair<const char*, const char*> rows[] = {
      {"Comm_dup newcomm=x", "leak/communicator"},
      {"Comm_group group=x", "leak/group"},
      {"Type_contiguous count=2 newtype=x", "leak/datatype"},
      {"Op_create op=x", "leak/op"},
      {"Win_create win=x", "leak/window"},
      {"Info_create info=x", "leak/info"},
      {"Comm_create_errhandler errhandler=x", "leak/errhandler"},
      {"Comm_create_keyval comm_keyval=77", "leak/keyval"},
      {"File_open fh=x", "leak/file"},
      {"Mprobe source=1 message=x", "leak/message"},
      {"Isend dest=1 request=x", "leak/request"},
      {"Irecv source=1 request=x", "leak/request"},
      {"Ibarrier request=x", "leak/request"},
  };
  for (const auto& [call, rule] : rows)
    EXPECT_EQ(left(std::string("0 ") + call + " @a.c:1\n0 Finalize\n"),
              std::string(rule) + " ranks=0 @a.c:1\n")
        << call;
}

TEST(Leak, nothing_when_all_is_freed) {
  EXPECT_EQ(left("0 Comm_dup newcomm=c\n0 Comm_free comm=c\n"
                 "0 Comm_group group=g\n0 Group_free group=g\n"
                 "0 Type_contiguous count=2 newtype=t\n0 Type_free datatype=t\n"
                 "0 Op_create op=o\n0 Op_free op=o\n"
                 "0 Win_create win=w\n0 Win_free win=w\n"
                 "0 Info_create info=i\n0 Info_free info=i\n"
                 "0 Comm_create_errhandler errhandler=e\n0 Errhandler_free errhandler=e\n"
                 "0 Comm_create_keyval comm_keyval=77\n0 Comm_free_keyval comm_keyval=77\n"
                 "0 File_open fh=f\n0 File_close fh=f\n"
                 "0 Mprobe source=1 message=m\n0 Mrecv message=m\n"
                 "0 Isend dest=1 request=r\n0 Wait request=r\n"
                 "0 Finalize\n"),
            "");
}

// [U24, U22]
TEST(Leak, freed_or_marked_free_while_in_use) {
  EXPECT_EQ(left("0 Isend dest=1 request=r\n0 Request_free request=r\n0 Finalize\n"), "");
  EXPECT_EQ(
      left("0 Comm_dup newcomm=c\n0 Type_contiguous count=2 newtype=t\n0 Type_commit datatype=t\n"
           "0 Isend dest=1 comm=c type=t request=r\n0 Comm_free comm=c\n0 Type_free datatype=t\n"
           "0 Wait request=r\n0 Finalize\n"),
      "");
}

// [U28]
TEST(Leak, never_what_the_program_did_not_make) {
  EXPECT_EQ(left("0 Group_incl ranks=[] newgroup=GROUP_EMPTY\n"
                 "0 Type_create_f90_real p=6 r=30 newtype=t\n"
                 "0 Comm_get_parent parent=COMM_NULL\n"
                 "0 Comm_split color=UNDEFINED newcomm=COMM_NULL\n"
                 "0 Comm_get_errhandler errhandler=ERRORS_ARE_FATAL\n"
                 "0 Mprobe source=PROC_NULL message=MESSAGE_NO_PROC\n"
                 "0 Improbe source=1 -> flag=false\n"
                 "0 Finalize\n"),
            "");
}

TEST(Leak, counts_of_a_line) {
  EXPECT_EQ(
      run_messages<Leak>(
          "0 Comm_dup newcomm=a @a.c:1\n0 Comm_dup newcomm=b @a.c:1\n0 Comm_dup newcomm=c @a.c:1\n"
          "0 Comm_free comm=b\n0 Finalize\n"),
      "leak/communicator: 2 of 3 made here are never freed\n");
}

TEST(Leak, inactive_persistent_requests_are_a_warning) {
  EXPECT_EQ(left("0 Send_init dest=1 request=r @a.c:1\n0 Finalize\n"),
            "leak/request ranks=0 @a.c:1 (warning)\n");
  EXPECT_EQ(left("0 Send_init dest=1 request=r @a.c:1\n0 Start request=r @a.c:2\n0 Finalize\n"),
            "leak/request ranks=0 @a.c:1\n");
}

TEST(Leak, generalized_requests_are_the_programs_own) {
  EXPECT_EQ(left("0 Grequest_start request=g\n0 Finalize\n"), "");
}

TEST(Leak, the_call_that_wrote_over_the_handle_is_named) {
  const std::string text =
      "0 Isend dest=1 request=a&0x100 @a.c:1\n0 Irecv source=1 request=b&0x100 @a.c:2\n0 Wait "
      "request=b&0x100\n0 Finalize\n";
  EXPECT_EQ(left(text), "leak/request ranks=0 @a.c:1\n");
  EXPECT_EQ(run_messages<Leak>(text),
            "leak/request: made here, never completed; its variable was overwritten by MPI_Irecv "
            "while it was active\n");
}

TEST(Leak, a_variable_used_again_after_completion_overwrites_nothing) {
  EXPECT_EQ(run_messages<Leak>("0 Isend dest=1 request=a&0x100 @a.c:1\n0 Wait request=a&0x100\n"
                               "0 Isend dest=1 request=a&0x100 @a.c:1\n0 Finalize\n"),
            "leak/request: 1 of 2 made here is never completed\n");
}

TEST(Leak, requests_that_share_a_handle_are_counted_each) {
  const std::string text =
      "0 Isend dest=1 request=r&0x100 @a.c:1\n0 Isend dest=1 request=r&0x100 @a.c:1\n0 Isend "
      "dest=1 request=r&0x100 @a.c:1\n"
      "0 Wait request=r&0x100\n0 Finalize\n";
  EXPECT_EQ(run_messages<Leak>(text),
            "leak/request: 2 of 3 made here are never completed; its variable was overwritten by "
            "MPI_Isend "
            "while it was active\n");
}

// [U27]
TEST(Leak, judged_after_the_callbacks_of_finalize) {
  EXPECT_EQ(
      left("0 Comm_dup newcomm=c\n0 File_open fh=f\n0 Irecv source=1 request=r\n"
           "0 Finalize ...\n0 Wait request=r\n0 Comm_free comm=c\n0 File_close fh=f\n0 return\n"),
      "");
}

TEST(Leak, never_after_an_abnormal_end) {
  const std::string made = "0 Comm_dup newcomm=c\n0 Irecv source=1 request=r\n";
  EXPECT_EQ(left(made + "0 signal 11\n"), "");
  EXPECT_EQ(left(made + "0 killed\n"), "");
  EXPECT_EQ(left(made + "0 exit 3\n"), "");
  EXPECT_EQ(left(made + "0 exit 0\n"), "");
  EXPECT_EQ(left(made + "0 Abort errorcode=1 ...\n0 exit 1\n"), "");
  EXPECT_EQ(left(made + "0 Finalize ...\n0 killed\n"), "");
}

TEST(Leak, a_status_after_finalize_is_the_programs_own) {
  EXPECT_EQ(left("0 Comm_dup newcomm=c @a.c:1\n0 Finalize\n0 exit 3\n"),
            "leak/communicator ranks=0 @a.c:1\n");
}

TEST(Leak, freed_too_late_is_another_finding) {
  EXPECT_EQ(left("0 Type_contiguous count=2 newtype=t @a.c:1\n0 Finalize\n0 Type_free datatype=t "
                 "...\n"),
            "");
  EXPECT_EQ(left("0 Irecv source=1 request=r @a.c:1\n0 Finalize\n0 Wait request=r ...\n"), "");
  EXPECT_EQ(left("0 Type_contiguous count=2 newtype=t @a.c:1\n0 Type_contiguous count=2 newtype=u "
                 "@a.c:2\n0 Finalize\n0 Type_free datatype=t ...\n"),
            "leak/datatype ranks=0 @a.c:2\n");
}

// [U40]
TEST(Leak, sessions) {
  EXPECT_EQ(
      left(
          "0 Session_init session=s\n0 Info_create info=i\n0 Session_finalize session=s\n"
          "0 Session_init session=s\n0 Info_free info=i\n0 Session_finalize session=s\n0 exit 0\n"),
      "");
  EXPECT_EQ(left("0 Session_init session=s @a.c:1\n0 exit 0\n"), "leak/session ranks=0 @a.c:1\n");
  EXPECT_EQ(left("0 Session_init session=s\n0 Group_from_session_pset session=s "
                 "pset_name=\"mpi://WORLD\" newgroup=g\n"
                 "0 Comm_create_from_group group=g newcomm=c @a.c:3\n0 Group_free group=g\n"
                 "0 Session_finalize session=s\n0 exit 0\n"),
            "leak/communicator ranks=0 @a.c:3\n");
}

TEST(Leak, each_object_is_told_once) {
  EXPECT_EQ(left("0 Comm_dup newcomm=c @a.c:1\n0 Finalize\n0 Session_init session=s\n0 "
                 "Session_finalize session=s\n0 exit 0\n"),
            "leak/communicator ranks=0 @a.c:1\n");
}

TEST(Leak, growth) {
  std::string bad, pool;
  for (int i = 0; i < 4000; ++i)
    bad += "0 Type_contiguous count=2 newtype=t" + std::to_string(i) + " @a.c:1\n";
  EXPECT_EQ(left(bad + "0 Finalize\n"), "leak/growth ranks=0 @a.c:1\n");
  for (int i = 0; i < 4000; ++i) pool += "0 Type_free datatype=t" + std::to_string(i) + "\n";
  EXPECT_EQ(left(bad + pool + "0 Finalize\n"), "");
  std::string loop;
  for (int i = 0; i < 5000; ++i) loop += "0 Comm_dup newcomm=c @a.c:1\n0 Comm_free comm=c\n";
  EXPECT_EQ(left(loop + "0 Finalize\n"), "");
}

}  // namespace
}  // namespace vouch
