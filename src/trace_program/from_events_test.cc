// Calls in, trace program out: what stands in the compact form is what the calls asked for.

#include "trace_program/from_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "predict/questions/questions.h"
#include "predict/testing/all_executions.h"

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
  for (const auto* gaps : {&program.not_checked, &program.not_shown})
    for (const NotChecked& n : *gaps) all += n.what + ": " + n.reason + "\n";
  return all;
}

// Both forms without names and places, which the calls do not give and the hand does.
std::string shape(predict::Program program) {
  for (predict::OpId id = 0; id < program.ops.size(); ++id) {
    program.ops[id].name = "x" + std::to_string(id);
    program.ops[id].site = {};
    program.ops[id].variable.clear();
  }
  for (std::size_t g = 0; g < program.groups.size(); ++g)
    program.groups[g].name = "g" + std::to_string(g);
  return predict::print_sexpr(program);
}

void expect(std::string_view calls, std::string_view by_hand, const std::string& not_shown = "") {
  const TraceProgram program = convert(calls);
  const auto hand = predict::parse(by_hand);
  ASSERT_TRUE(hand.ok()) << hand.error();
  EXPECT_EQ(shape(program.program), shape(hand.value())) << predict::print_compact(program.program);
  EXPECT_EQ(gaps(program), not_shown);
}

// [P2]: F5.8 as calls is F5.8 by hand; a receive that a test confirms is one that was waited for.
TEST(FromEvents, blocking_calls_are_operation_and_wait) {
  expect(
      "0 Send dest=1\n0 Recv source=ANY_SOURCE -> status=(2,0,4)\n0 Recv source=1\n"
      "1 Recv source=ANY_SOURCE -> status=(0,0,4)\n1 Send dest=0\n"
      "2 Send dest=0\n",
      "s0>1 r0* r1<1 | r2* s1>0 | s2>0");
}

TEST(FromEvents, a_test_that_succeeds_is_a_wait) {
  expect(
      "0 Irecv source=1 tag=3 -> request=r1\n0 Test request=r1 -> flag=0\n"
      "0 Test request=r1 -> flag=1 status=(1,3,4)\n"
      "1 Isend dest=0 tag=3 -> request=s1\n1 Wait request=s1\n",
      "ir0<1:3 t(r0) | is0>0:3 w(s0)",
      "MPI_Test: what the program does when it is told \"not yet\" is not shown\n");
}

// [P3]: iterations of a loop are operations of their own.
TEST(FromEvents, loop_iterations_get_names_of_their_own) {
  const auto program = convert(
      "0 Send dest=1 @a.c:5\n0 Send dest=1 @a.c:5\n0 Send dest=1 @a.c:5\n"
      "1 Recv source=0\n1 Recv source=0\n1 Recv source=0\n");
  EXPECT_EQ(predict::defect(program.program), "");
  const auto ops = program.program.of(0);
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_NE(ops[0].name, ops[1].name);
  EXPECT_NE(ops[1].name, ops[2].name);
  EXPECT_EQ(program.program.sites.at(ops[2].site.value), "a.c:5");
}

TEST(FromEvents, modes_tags_and_nobody) {
  expect(
      "0 Ssend dest=1 tag=4\n0 Bsend dest=1 tag=5\n0 Rsend dest=1 tag=6\n0 Send dest=PROC_NULL\n"
      "1 Recv source=0 tag=4\n1 Recv source=0 tag=ANY_TAG -> status=(0,5,4)\n"
      "1 Recv source=ANY_SOURCE tag=6 -> status=(0,6,4)\n1 Recv source=PROC_NULL\n",
      "s0>>1:4 s1>~1:5 s2>1:6 | r0<0:4 r1<0:* r2*:6");
}

// As a damaged record says it: only who receives may leave open from whom.
TEST(FromEvents, a_send_to_anybody_is_to_no_process) {
  expect("0 Send dest=ANY_SOURCE\n0 Send dest=1\n1 Recv source=0\n", "s0>1 | r0<0",
         "MPI_Send: to or from no process is left out\n");
}

TEST(FromEvents, sendrecv_is_both_and_one_wait) {
  expect(
      "0 Sendrecv dest=1 sendtag=1 source=1 recvtag=2\n"
      "1 Sendrecv dest=0 sendtag=2 source=0 recvtag=1\n",
      "is0>1:1 ir0<1:2 w(s0,r0) | is1>0:2 ir1<0:1 w(s1,r1)");
}

TEST(FromEvents, that_a_matched_message_is_received_late_is_not_shown) {
  const std::string begin =
      "1 Ssend dest=0 tag=2\n1 Send dest=0 tag=3\n"
      "0 Mprobe source=1 tag=2 -> message=m1 status=(1,2,4)\n";
  const std::string late = "0 Recv source=1 tag=3\n", receive = "0 Mrecv message=m1\n";
  EXPECT_EQ(gaps(convert(begin + late + receive)),
            "MPI_Mrecv: comes after another call that waits: that the sender of the message may "
            "wait for it is not shown\n");
  EXPECT_EQ(gaps(convert(begin + receive + late)), "");
}

TEST(FromEvents, probes_look_and_matched_probes_take) {
  expect(
      "0 Probe source=ANY_SOURCE tag=1 -> status=(1,1,4)\n0 Recv source=1 tag=1\n"
      "0 Iprobe source=1 tag=2 -> flag=0\n0 Iprobe source=1 tag=2 -> flag=1 status=(1,2,4)\n"
      "0 Mprobe source=1 tag=2 -> message=m1 status=(1,2,4)\n0 Mrecv message=m1\n"
      "1 Send dest=0 tag=1\n1 Send dest=0 tag=2\n",
      "p0*:1 r0<1:1 p1<1:2 r1<1:2 | s0>0:1 s1>0:2",
      "MPI_Iprobe: what the program does when it is told \"not yet\" is not shown\n");
}

TEST(FromEvents, persistent_requests_start_anew) {
  expect(
      "0 Send_init dest=1 tag=1 -> request=s1\n0 Start request=s1\n0 Wait request=s1\n"
      "0 Start request=s1\n0 Wait request=s1\n"
      "1 Recv_init source=0 tag=1 -> request=r1\n1 Start request=r1\n1 Wait request=r1\n"
      "1 Start request=r1\n1 Wait request=r1\n",
      "is0>1:1 w(s0) is1>1:1 w(s1) | ir0<0:1 w(r0) ir1<0:1 w(r1)");
}

TEST(FromEvents, waits_for_many) {
  expect(
      "0 Irecv source=1 tag=1 -> request=a\n0 Irecv source=1 tag=2 -> request=b\n"
      "0 Waitall array_of_requests=[a,b]\n"
      "1 Send dest=0 tag=1\n1 Send dest=0 tag=2\n",
      "ir0<1:1 ir1<1:2 w(r0,r1) | s0>0:1 s1>0:2");
  expect(
      "0 Irecv source=1 tag=1 -> request=a\n0 Irecv source=1 tag=2 -> request=b\n"
      "0 Waitany array_of_requests=[a,b] -> index=1 status=(1,2,4)\n0 Wait request=a\n"
      "1 Send dest=0 tag=1\n1 Send dest=0 tag=2\n",
      "ir0<1:1 ir1<1:2 w(r1) w(r0) | s0>0:1 s1>0:2",
      "MPI_Waitany: which request it found complete is taken as the program's own choice\n");
}

TEST(FromEvents, collectives_synchronise_as_their_data_flow) {
  expect(
      "0 Barrier\n0 Bcast root=1\n0 Reduce root=0\n0 Scan\n0 Allreduce\n0 Ibarrier -> request=r\n"
      "0 Wait request=r\n"
      "1 Barrier\n1 Bcast root=1\n1 Reduce root=0\n1 Scan\n1 Allreduce\n1 Ibarrier -> request=r\n"
      "1 Wait request=r\n",
      "b bcast(1) reduce(0) scan allreduce ib#x w(x) | b bcast(1) reduce(0) scan allreduce ib#y "
      "w(y)");
}

// MPI-4.1 6.14: whether such a call synchronises is up to the library.
TEST(FromEvents, collectives_that_move_nothing_order_nobody) {
  for (const char* call :
       {"Bcast root=1 count=0", "Reduce root=0 count=0", "Scan count=0", "Exscan count=0",
        "Allreduce count=0", "Allgather sendcount=0 recvcount=0",
        "Alltoall sendcount=0 recvcount=0", "Scatter root=1 sendcount=0 recvcount=0",
        "Gather root=1 sendcount=0 recvcount=0", "Reduce_scatter_block recvcount=0",
        "Allgather sendbuf=IN_PLACE sendcount=7 recvcount=0"}) {
    expect(fmt::format("0 {}\n1 {}\n", call, call).c_str(), "needs() | needs()");
  }
  // What is significant at the root alone.
  expect("0 Gather root=1 recvcount=0\n1 Gather root=1\n", "reduce(1) | reduce(1)");
  expect("0 Scatter root=1 sendcount=0\n1 Scatter root=1 recvcount=0\n", "bcast(1) | bcast(1)");
  expect("0 Allgatherv recvcounts=[0,1]\n1 Allgatherv recvcounts=[0,1]\n", "needs(1) | needs()");
}

TEST(FromEvents, communicators_keep_messages_apart) {
  const char* calls =
      "0 Comm_split color=0 key=0 ...\n0 comm c size=2 rank=0 members=[0,2]\n0 return -> "
      "newcomm=c\n"
      "0 Send dest=1 comm=c\n0 Barrier comm=c\n"
      "1 Comm_split color=1 key=0 ...\n1 comm d size=1 rank=0 members=[1]\n1 return -> newcomm=d\n"
      "2 Comm_split color=0 key=0 ...\n2 comm c size=2 rank=1 members=[0,2]\n2 return -> "
      "newcomm=c\n"
      "2 Recv source=0 comm=c\n2 Barrier comm=c\n";
  expect(calls, "comm(1)=0,2 b s0>2/1 b/1 | b | b r0<0/1 b/1");
}

TEST(FromEvents, what_was_cancelled_or_failed_is_not_there) {
  expect(
      "0 Irecv source=1 tag=9 -> request=a\n0 Cancel request=a\n"
      "0 Wait request=a -> status=(0,0,0,SUCCESS,1)\n0 Recv source=1 tag=1\n"
      "1 Send dest=0 tag=1\n1 Send dest=7 tag=1 !ERR_RANK\n",
      "r0<1:1 | s0>0:1",
      "MPI_Send: failed calls are left out\nMPI_Send: to or from no process is left out\n");
}

TEST(FromEvents, what_cannot_be_shown_is_named) {
  EXPECT_EQ(gaps(convert("0 Irecv source=1 -> request=a\n0.1 Barrier\n1 Send dest=0\n1 Barrier\n"
                         "0 Neighbor_allgather\n")),
            "rank 0: calls of several threads are taken in the order of this run\n"
            "receives: that were never seen to complete are left out\n"
            "MPI_Neighbor_allgather: is no part of the trace program\n");
}

// Then there is no other schedule than that of the run.
TEST(FromEvents, what_is_left_to_chance) {
  EXPECT_FALSE(convert("0 Recv source=1 tag=ANY_TAG -> status=(1,0,4)\n1 Send dest=0\n").chance);
  EXPECT_TRUE(convert("0 Recv source=ANY_SOURCE -> status=(1,0,4)\n1 Send dest=0\n").chance);
  EXPECT_TRUE(convert("0 Irecv source=1 -> request=a\n0 Test request=a -> flag=1 status=(1,0,4)\n"
                      "1 Send dest=0\n")
                  .chance);
  EXPECT_TRUE(convert("0 Barrier\n0.1 Barrier\n1 Barrier\n1 Barrier\n").chance);
}

// It could have found one of the two.
TEST(FromEvents, all_that_were_pending_is_a_choice_too) {
  const auto both = convert(
      "0 Irecv source=1 tag=1 -> request=a\n0 Irecv source=1 tag=2 -> request=b\n"
      "0 Waitsome array_of_requests=[a,b] -> outcount=2 array_of_indices=[0,1] "
      "array_of_statuses=[(1,1,4),(1,2,4)]\n1 Send dest=0 tag=1\n1 Send dest=0 tag=2\n");
  EXPECT_EQ(gaps(both),
            "MPI_Waitsome: which request it found complete is taken as the program's own choice\n");
  EXPECT_TRUE(both.answers);
}

// Members of a group meet, nobody else.
TEST(FromEvents, a_communicator_that_only_its_members_make) {
  std::string calls;
  for (const char* rank : {"0 ", "1 ", "2 "}) {
    const std::string r = rank;
    calls += r + "Comm_group comm=COMM_WORLD -> group=w\n";
    if (r == "2 ") continue;
    calls += r + "Group_incl group=w n=2 ranks=[0,1] -> newgroup=g\n";
    calls += r + "Comm_create_group comm=COMM_WORLD group=g tag=7 -> newcomm=c\n";
  }
  const auto program = convert(calls);
  EXPECT_EQ(gaps(program), "");
  ASSERT_EQ(program.program.groups.size(), 1u);
  EXPECT_EQ(program.program.groups[0].members, (std::vector<int>{0, 1}));
  // One of them comes later than it should: they are stuck.
  const auto hung = convert(
      "0 Comm_group comm=COMM_WORLD -> group=w\n0 Recv source=1 ...\n"
      "1 Comm_group comm=COMM_WORLD -> group=w\n"
      "1 Comm_create_group comm=COMM_WORLD group=w tag=7 ...\n");
  EXPECT_EQ(predict::Predictor(hung.program).deadlock(predict::Buffering::infinite).outcome,
            predict::Outcome::witnessed);
}

TEST(FromEvents, a_choice_that_never_came_is_named) {
  EXPECT_EQ(gaps(convert("0 Irecv source=1 -> request=a\n0 Irecv source=1 -> request=b\n"
                         "0 Waitany array_of_requests=[a,b] ...\n1 Barrier ...\n")),
            "rank 0: waits for one of several requests, which is not shown\n"
            "receives: that were never seen to complete are left out\n");
}

// A run that hung is a program that cannot end either; one that went well by luck can.
TEST(FromEvents, the_questions_can_be_asked) {
  const auto hung = convert("0 Recv source=1 ...\n1 Recv source=0 ...\n");
  predict::Predictor always(hung.program);
  EXPECT_EQ(always.deadlock(predict::Buffering::infinite).outcome, predict::Outcome::witnessed);
  const auto lucky = convert(
      "0 Recv source=ANY_SOURCE -> status=(2,0,4)\n0 Recv source=1\n1 Send dest=0\n2 Send "
      "dest=0\n");
  predict::Predictor sometimes(lucky.program);
  const auto reply = sometimes.deadlock(predict::Buffering::infinite);
  EXPECT_EQ(reply.outcome, predict::Outcome::witnessed);
  EXPECT_EQ(sometimes.races(predict::Buffering::infinite).races.size(), 1u);
}

TEST(FromEvents, members_that_disagree_are_told) {
  const auto trace = read_text("0 Barrier\n1 Bcast root=0\n");
  const auto program = program_of(trace.value());
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().find("another collective"), std::string::npos);
}

// ---- with what the run decided ----
// Each receive and probe with the process and place of its message: "0<1#0" or "0<-".
std::string decided(std::string_view text) {
  const auto trace = read_text(text);
  EXPECT_TRUE(trace.ok()) << trace.error();
  auto run = run_of(trace.value());
  EXPECT_TRUE(run.ok()) << run.error();
  std::string all;
  for (predict::OpId id = 0; id < run->program.ops.size(); ++id) {
    const predict::Operation& op = run->program[id];
    if (op.kind != predict::OpKind::receive && op.kind != predict::OpKind::probe) continue;
    all += std::to_string(op.process) + "<";
    const predict::OpId send = run->met[id];
    if (send == predict::kNoOp) {
      all += "- ";
      continue;
    }
    const int from = run->program[send].process;
    all += std::to_string(from) + "#" + std::to_string(send - run->program.first[from]);
    all += run->marks[id].abstracted ? "! " : " ";
  }
  return all;
}

TEST(RunOf, every_receive_has_its_message) {
  EXPECT_EQ(decided("0 Recv source=ANY_SOURCE -> status=(2,0,4)\n0 Recv source=1\n"
                    "0 Irecv source=ANY_SOURCE tag=ANY_TAG -> request=r1\n"
                    "0 Wait request=r1 -> status=(1,5,4)\n"
                    "1 Send dest=0\n1 Send dest=0 tag=5\n2 Send dest=0\n"),
            "0<2#0 0<1#0 0<1#1 ");
}
TEST(RunOf, what_never_completed_is_there) {
  EXPECT_EQ(decided("0 Irecv source=ANY_SOURCE -> request=r1\n0 Recv source=ANY_SOURCE ...\n"
                    "1 Send dest=0\n"),
            "0<- 0<- ");
}
TEST(RunOf, a_probe_leaves_its_message) {
  EXPECT_EQ(decided("0 Probe source=ANY_SOURCE -> status=(1,0,4)\n"
                    "0 Iprobe source=ANY_SOURCE -> flag=0\n"
                    "0 Iprobe source=ANY_SOURCE -> flag=1 status=(1,0,4)\n"
                    "0 Recv source=1\n0 Recv source=1\n1 Send dest=0\n1 Send dest=0\n"),
            "0<1#0 0<1#0 0<1#0 0<1#1 ");
}
TEST(RunOf, regions_are_marked) {
  EXPECT_EQ(decided("0 Pcontrol level=1\n0 Recv source=ANY_SOURCE -> status=(1,0,4)\n"
                    "0 Pcontrol level=0\n0 Recv source=ANY_SOURCE -> status=(1,0,4)\n"
                    "1 Send dest=0\n1 Send dest=0\n"),
            "0<1#0! 0<1#1 ");
}

}  // namespace
}  // namespace vouch
