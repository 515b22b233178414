#include "uncommitted.h"

#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

constexpr const char* kMade = "0 Type_contiguous count=2 newtype=t @a.c:1\n";

std::string with(std::string_view calls) { return kMade + std::string(calls); }

TEST(Uncommitted, where_data_moves) {
  for (const char* call : {"0 Send datatype=t @a.c:2\n", "0 Allreduce datatype=t @a.c:2\n",
                           "0 Irecv datatype=t request=r @a.c:2\n", "0 Pack datatype=t @a.c:2\n"})
    EXPECT_EQ(run<Uncommitted>(with(call)), "type/uncommitted ranks=0 @a.c:2\n") << call;
}

TEST(Uncommitted, committed_types_and_those_that_need_no_commit) {
  for (const std::string& text : {
           with("0 Type_commit datatype=t\n0 Send datatype=t\n"),
           std::string("0 Send datatype=MPI_INT\n"),
           std::string("0 Type_create_f90_real p=6 r=30 newtype=t\n0 Send datatype=t\n"),
           with("0 Type_size datatype=t\n0 Type_dup oldtype=t newtype=u\n0 Type_free datatype=t\n"),
       })
    EXPECT_EQ(run<Uncommitted>(text), "") << text;
}

TEST(Uncommitted, one_finding_for_all_ranks_and_rounds) {
  const std::string use = "0 Send datatype=t @a.c:2\n";
  EXPECT_EQ(run<Uncommitted>(with(use + use) + "1 Type_contiguous count=2 newtype=t @a.c:1\n" +
                             "1 Send datatype=t @a.c:2\n"),
            "type/uncommitted ranks=0,1 @a.c:2\n");
}

TEST(Uncommitted, the_message_names_the_parameter) {
  EXPECT_EQ(run_messages<Uncommitted>(with("0 Allgather sendtype=t @a.c:2\n")),
            "type/uncommitted: sendtype was never committed\n");
}

// What an earlier analysis has reported is left alone.
TEST(Uncommitted, after_the_analysis_of_arguments) {
  const std::string text = with("0 Send datatype=t @a.c:2\n");
  EXPECT_EQ((run<Argument, Uncommitted>(text)), run<Argument>(text));
}

}  // namespace
}  // namespace vouch
