// What a program says of its values, and collectives whose members say how much each gives.

#include "trace_program/values.h"

#include <gtest/gtest.h>

#include "predict/questions/questions.h"
#include "trace_program/forced.h"
#include "trace_program/from_events.h"

namespace vouch {
namespace {

TraceProgram convert(std::string_view text) {
  const auto trace = read_text(text);
  EXPECT_TRUE(trace.ok()) << trace.error();
  auto program = program_of(trace.value());
  EXPECT_TRUE(program.ok()) << program.error();
  return std::move(*program);
}

std::string gaps(const TraceProgram& program) {
  std::string all;
  for (const NotChecked& n : program.not_checked) all += n.what + ": " + n.reason + "\n";
  return all;
}

predict::Outcome violated(const TraceProgram& program) {
  return predict::Predictor(program.program).violation(predict::Buffering::infinite).outcome;
}

TEST(Values, names_in_conditions) {
  const std::vector<std::string> names{"a", "b[0]", "p->x", "ab"};
  EXPECT_EQ(with_terms("a == 4 && b[ 0 ] < ab", names), "term.0 == 4 && term.1 < term.3");
  EXPECT_EQ(with_terms("p->x != a2 && xa > a", names), "term.2 != a2 && xa > term.0");
  EXPECT_EQ(with_terms("a[1] == a.y", names), "a[1] == a.y");
  EXPECT_EQ(with_terms("$1 == 4.and.$2/=3 .OR. .not. $1 .ge. 2", {"$1", "$2"}),
            "term.0 == 4&&term.1!=3 || ! term.0 >= 2");
}

TEST(Values, numbers_in_bytes) {
  const std::string bytes("\x04\x00\x00\x00\xff\xff\xff\xff", 8);
  EXPECT_EQ(number_in(bytes, {0, 4, false}), 4);
  EXPECT_EQ(number_in(bytes, {4, 4, false}), -1);
  EXPECT_EQ(number_in(bytes, {4, 1, false}), -1);
  EXPECT_EQ(number_in(bytes, {8, 4, false}), std::nullopt);
  EXPECT_EQ(number_in(bytes, {1u << 31, 4, false}), std::nullopt);
  const double two = 2, half = 0.5;
  EXPECT_EQ(number_in({reinterpret_cast<const char*>(&two), 8}, {0, 8, true}), 2);
  EXPECT_EQ(number_in({reinterpret_cast<const char*>(&half), 8}, {0, 8, true}), std::nullopt);
}

// [P7]: assertions and assumptions are kept, over the values of receives.
constexpr const char* kFanIn =
    "0 Recv buf=&0x100 count=1 datatype=INT source=ANY_SOURCE -> status=(1,0,4)\n"
    "0 assert \"x == 1\" names=\"x\" terms=[0x100,4,1] @a.c:6\n"
    "0 Recv buf=&0x100 count=1 datatype=INT source=ANY_SOURCE -> status=(2,0,4)\n"
    "1 Send dest=0\n1 value 1\n2 Send dest=0\n2 value 2\n";

TEST(Values, an_assertion_over_what_was_received) {
  const TraceProgram program = convert(kFanIn);
  EXPECT_EQ(gaps(program), "");
  const auto conditions = program.program.all(predict::OpKind::assertion);
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_EQ(predict::print_expr(program.program, program.program[conditions[0]].expr), "r0.0 == 1");
  EXPECT_EQ(violated(program), predict::Outcome::witnessed);
}

TEST(Values, what_the_program_assumes) {
  std::string text = kFanIn;
  text.insert(text.find("0 assert"), "0 assume \"x < 2\" names=\"x\" terms=[0x100,4,1]\n");
  EXPECT_EQ(violated(convert(text)), predict::Outcome::proved);
}

TEST(Values, other_variables_are_constants) {
  std::string text = kFanIn;
  text.replace(text.find("\"x == 1\" names=\"x\" terms=[0x100,4,1]"), 37,
               "\"x <= n\" names=\"x, n\" terms=[0x100,4,1,0x900,4,2]");
  EXPECT_EQ(violated(convert(text)), predict::Outcome::proved);
}

TEST(Values, a_value_that_has_changed_is_no_longer_what_was_received) {
  std::string text = kFanIn;
  text.replace(text.find("terms=[0x100,4,1]"), 17, "terms=[0x100,4,7] holds=0");
  const TraceProgram program = convert(text);
  EXPECT_EQ(gaps(program),
            "VOUCH_ASSERT(x == 1): x is not known to be what was received: it is taken as in this "
            "run\n");
}

TEST(Values, what_cannot_be_carried_is_said) {
  std::string text = kFanIn;
  text.replace(text.find("x == 1"), 6, "f(x) > y / 2");
  const TraceProgram program = convert(text);
  EXPECT_TRUE(program.program.all(predict::OpKind::assertion).empty());
  EXPECT_NE(gaps(program).find("it is not carried to other schedules"), std::string::npos);
}

TEST(Values, a_condition_that_is_read_differently_is_a_gap) {
  std::string text = kFanIn;
  text.replace(text.find("terms=[0x100,4,1]"), 17, "terms=[0x100,4,1] holds=0");
  EXPECT_NE(gaps(convert(text)).find("read differently"), std::string::npos);
}

// What is passed on stays what it was.
TEST(Values, forwarded_values_are_variables) {
  const TraceProgram program = convert(
      "0 Recv buf=&0x100 count=1 datatype=INT source=ANY_SOURCE -> status=(1,0,4)\n"
      "0 Send buf=&0x100 count=1 datatype=INT dest=3 tag=5\n0 value 1\n"
      "0 Recv buf=&0x100 count=1 datatype=INT source=ANY_SOURCE -> status=(2,0,4)\n"
      "1 Send dest=0\n1 value 1\n2 Send dest=0\n2 value 2\n"
      "3 Recv buf=&0x200 count=1 datatype=INT source=0 tag=5\n"
      "3 assert \"y == 1\" names=\"y\" terms=[0x200,4,1] @a.c:9\n");
  EXPECT_EQ(gaps(program), "");
  EXPECT_EQ(violated(program), predict::Outcome::witnessed);
}

// What is computed is not followed, and that is said where it could matter.
TEST(Values, computed_values_are_those_of_this_run) {
  const TraceProgram program = convert(
      "0 Recv buf=&0x100 count=1 datatype=INT source=ANY_SOURCE -> status=(1,0,4)\n"
      "0 Send buf=&0x180 count=1 datatype=INT dest=3 tag=5\n0 value 10\n"
      "0 Recv buf=&0x100 count=1 datatype=INT source=ANY_SOURCE -> status=(2,0,4)\n"
      "1 Send dest=0\n1 value 1\n2 Send dest=0\n2 value 2\n"
      "3 Recv buf=&0x200 count=1 datatype=INT source=0 tag=5\n"
      "3 assert \"y == 10\" names=\"y\" terms=[0x200,4,10] @a.c:9\n");
  EXPECT_EQ(
      gaps(program),
      "conditions: values that may depend on the order of messages are taken as in this run\n");
}

TEST(Collectives, who_gives_nothing_is_not_needed) {
  const TraceProgram program = convert(
      "0 Alltoallv sendcounts=[1,1] sdispls=[0,1] recvcounts=[1,0] rdispls=[0,1]\n"
      "1 Alltoallv sendcounts=[0,1] sdispls=[0,1] recvcounts=[1,1] rdispls=[0,1]\n");
  EXPECT_EQ(gaps(program), "");
  ASSERT_EQ(program.program.groups.size(), 1u);
  EXPECT_EQ(program.program.groups[0].sources, (std::vector<std::vector<int>>{{}, {0}}));
}

TEST(Collectives, gatherv_scatterv_and_reduce_scatter) {
  const TraceProgram program = convert(
      "0 Gatherv recvcounts=[1,0,2] displs=[0,1,1] root=0\n1 Gatherv root=0\n2 Gatherv root=0\n"
      "0 Scatterv sendcounts=[1,0,2] displs=[0,1,1] recvcount=1 root=0\n"
      "1 Scatterv recvcount=0 root=0\n2 Scatterv recvcount=2 root=0\n"
      "0 Reduce_scatter recvcounts=[0,1,1]\n1 Reduce_scatter recvcounts=[0,1,1]\n"
      "2 Reduce_scatter recvcounts=[0,1,1]\n");
  using Sources = std::vector<std::vector<int>>;
  ASSERT_EQ(program.program.groups.size(), 3u);
  EXPECT_EQ(program.program.groups[0].sources, (Sources{{2}, {}, {}}));
  EXPECT_EQ(program.program.groups[1].sources, (Sources{{}, {}, {0}}));
  EXPECT_EQ(program.program.groups[2].sources, (Sources{{}, {0, 2}, {0, 1}}));
}

// The k-th operation with MPI_ANY_SOURCE of a rank, as those count who force a run.
TEST(Forced, a_witness_is_a_schedule) {
  const TraceProgram program = convert(
      "0 Recv source=1 tag=3\n0 Recv source=ANY_SOURCE -> status=(2,0,4)\n0 Recv source=1\n"
      "1 Send dest=0 tag=3\n1 Send dest=0\n2 Send dest=0\n");
  const auto deadlock = predict::Predictor(program.program).deadlock(predict::Buffering::infinite);
  ASSERT_EQ(deadlock.outcome, predict::Outcome::witnessed);
  EXPECT_EQ(policy::to_text(forced(program, deadlock.schedule)), "A0=1");
}

}  // namespace
}  // namespace vouch
