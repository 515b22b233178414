#include "analysis/collective/collective.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/collective/orders_test.h"
#include "analysis/crash/crash.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// Lines of `text` in many orders, each rank's own kept: the result must be the same in all.
std::string found(const std::string& text) {
  const std::string result = run<Collective>(text), said = run_messages<Collective>(text);
  for (int seed = 1; seed < 8; ++seed) {
    EXPECT_EQ(run<Collective>(in_order(text, seed)), result) << "order " << seed << "\n"
                                                             << in_order(text, seed);
    EXPECT_EQ(run_messages<Collective>(in_order(text, seed)), said) << "order " << seed;
  }
  return result;
}
std::string says(const std::string& text) { return run_messages<Collective>(text); }

// Both ranks of a world of two.
std::string two(const std::string& rank0, const std::string& rank1) {
  return "0 " + rank0 + "\n1 " + rank1 + "\n";
}
std::string on(int ranks, const std::string& call) {
  std::string text;
  for (int r = 0; r < ranks; ++r) text += std::to_string(r) + " " + call + "\n";
  return text;
}

const std::string kHalves =  // ranks 0,1 and 2,3
    "0 Comm_split color=0 newcomm=c\n0 comm c size=2 rank=0 members=0,1\n"
    "1 Comm_split color=0 newcomm=c\n1 comm c size=2 rank=1 members=0,1\n"
    "2 Comm_split color=1 newcomm=c\n2 comm c size=2 rank=0 members=2,3\n"
    "3 Comm_split color=1 newcomm=c\n3 comm c size=2 rank=1 members=2,3\n";
const std::string kInter = kHalves +
                           "0 Intercomm_create local_comm=c local_leader=0 peer_comm=COMM_WORLD "
                           "remote_leader=2 tag=5 newintercomm=i\n"
                           "0 comm i size=2 rank=0 remote=2 members=0,1\n"
                           "1 Intercomm_create local_comm=c local_leader=0 newintercomm=i\n1 comm "
                           "i size=2 rank=1 remote=2 members=0,1\n"
                           "2 Intercomm_create local_comm=c local_leader=0 peer_comm=COMM_WORLD "
                           "remote_leader=0 tag=5 newintercomm=i\n"
                           "2 comm i size=2 rank=0 remote=2 members=2,3\n"
                           "3 Intercomm_create local_comm=c local_leader=0 newintercomm=i\n3 comm "
                           "i size=2 rank=1 remote=2 members=2,3\n";

// [U62]
TEST(Mismatch, different_calls) {
  EXPECT_EQ(found(two("Barrier @a.c:1 ...", "Bcast @a.c:2 ...")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
  EXPECT_EQ(says(on(3, "Barrier @a.c:1") + "3 Bcast @a.c:2 ...\n"),
            "collective/mismatch: rank 3 calls MPI_Bcast; ranks 0-2 call MPI_Barrier\n");
  EXPECT_EQ(found(two("Barrier @a.c:1", "Barrier @a.c:2")), "");
}

TEST(Mismatch, what_follows_on_the_communicator_is_a_consequence) {
  EXPECT_EQ(found(two("Barrier @a.c:1\n0 Bcast @a.c:2", "Bcast @a.c:2\n1 Barrier @a.c:1")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
}

TEST(Mismatch, one_of_sixteen_comes_first) {  // [U6]
  EXPECT_EQ(found(on(15, "Barrier @a.c:1 ...") + "15 Allreduce @a.c:2 ...\n"),
            "collective/mismatch ranks=0,15 @a.c:2\n");
}

TEST(Mismatch, other_communicators_have_their_own_order) {
  EXPECT_EQ(found(kHalves + "0 Barrier comm=c\n0 Barrier\n1 Barrier comm=c\n1 Barrier\n2 "
                            "Barrier\n2 Bcast comm=c\n3 Barrier\n3 Bcast comm=c\n"),
            "");
  EXPECT_EQ(
      found(kHalves +
            "0 Barrier comm=c @a.c:1\n1 Bcast comm=c @a.c:2\n2 Barrier comm=c\n3 Barrier comm=c\n"),
      "collective/mismatch ranks=0,1 @a.c:1\n");
}

TEST(Mismatch, seen_though_the_others_never_come) {
  EXPECT_EQ(found("0 Barrier @a.c:1 ...\n1 Bcast @a.c:2 ...\n2 Recv source=0 ...\n"),
            "collective/mismatch ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found("0 Barrier @a.c:1 ...\n1 Recv source=0 ...\n"), "");
}

TEST(Mismatch, one_is_in_finalize) {
  EXPECT_EQ(found(two("Barrier @a.c:1 ...", "Finalize @a.c:2 ...")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
  EXPECT_EQ(says(on(3, "Barrier @a.c:1 ...") + "3 Finalize @a.c:2 ...\n"),
            "collective/mismatch: rank 3 calls MPI_Finalize; ranks 0-2 call MPI_Barrier\n");
  EXPECT_EQ(found(on(2, "Barrier") + on(2, "Finalize")), "");
  EXPECT_EQ(found(kHalves + on(4, "Finalize")), "");
}

TEST(Mismatch, the_same_call_on_another_communicator) {
  const std::string made = on(2, "Comm_dup newcomm=c @a.c:1") + on(2, "Comm_dup newcomm=d @a.c:2");
  const std::string calls = two("Bcast root=0 comm=c @a.c:3", "Bcast root=1 comm=d @a.c:3");
  const std::string freed = on(2, "Comm_free comm=c @a.c:5") + on(2, "Comm_free comm=d @a.c:6");
  const std::string end = on(2, "Finalize @a.c:4");
  const std::string said =
      "collective/mismatch: rank 0 calls MPI_Bcast on the communicator made at " +
      mention(Site{1}) + "; rank 1 calls MPI_Bcast on the communicator made at " +
      mention(Site{2}) + "\n";
  EXPECT_EQ(found(made + calls + end), "collective/mismatch ranks=0 @a.c:3\n");
  EXPECT_EQ(says(made + calls + end), said);
  // They go on and free both.
  EXPECT_EQ(found(made + calls + freed + end), "collective/mismatch ranks=0 @a.c:3\n");
  EXPECT_EQ(says(made + calls + freed + end), said);
  // Nonblocking, and made at one line.
  EXPECT_EQ(says(on(2, "Comm_dup newcomm=c @a.c:1") + on(2, "Comm_dup newcomm=d @a.c:1") +
                 two("Ibarrier comm=c request=r @a.c:3", "Ibarrier comm=d request=r @a.c:3") + end),
            "collective/mismatch: rank 0 calls MPI_Ibarrier on the communicator made at " +
                mention(Site{1}) + "; rank 1 calls MPI_Ibarrier on another one made there\n");
  // Another collective is another mistake.
  EXPECT_EQ(found(made + two("Bcast root=0 comm=c @a.c:3", "Reduce root=0 comm=d @a.c:5") + end),
            "collective/mismatch ranks=0,1 @a.c:3\ncollective/mismatch ranks=0,1 @a.c:4\n");
}

// Ranks 0,1 and ranks 1,2: whom a call concerns depends on its communicator.
const std::string kPairs =
    "0 Comm_split color=0 newcomm=l @a.c:1\n0 comm l size=2 rank=0 members=0,1\n"
    "1 Comm_split color=0 newcomm=l @a.c:1\n1 comm l size=2 rank=1 members=0,1\n"
    "2 Comm_split color=UNDEFINED newcomm=COMM_NULL @a.c:1\n"
    "0 Comm_split color=UNDEFINED newcomm=COMM_NULL @a.c:2\n"
    "1 Comm_split color=0 newcomm=h @a.c:2\n1 comm h size=2 rank=0 members=1,2\n"
    "2 Comm_split color=0 newcomm=h @a.c:2\n2 comm h size=2 rank=1 members=1,2\n";

TEST(Mismatch, the_same_call_on_a_communicator_with_other_members) {
  const std::string end = on(3, "Finalize @a.c:6");
  const std::string said =
      "collective/mismatch: rank 0 calls MPI_Ibcast on the communicator made at " +
      mention(Site{1}) + "; rank 1 calls MPI_Ibcast on the communicator made at " +
      mention(Site{2}) + "\n";
  const std::string two =
      "0 Ibcast root=0 comm=l request=r @a.c:3\n1 Ibcast root=0 comm=h request=r @a.c:3\n";
  EXPECT_EQ(found(kPairs + two + end), "collective/mismatch ranks=0 @a.c:3\n");
  EXPECT_EQ(says(kPairs + two + end), said);
  // At the second pair all take part, at the first one still one alone.
  const std::string three = two + "2 Ibcast root=0 comm=h request=r @a.c:3\n";
  EXPECT_EQ(found(kPairs + three + end), "collective/mismatch ranks=0 @a.c:3\n");
  EXPECT_EQ(says(kPairs + three + end), said);
  const std::string freed =
      "0 Comm_free comm=l @a.c:4\n1 Comm_free comm=l @a.c:4\n1 Comm_free comm=h @a.c:5\n"
      "2 Comm_free comm=h @a.c:5\n";
  EXPECT_EQ(found(kPairs + three + freed + end), "collective/mismatch ranks=0 @a.c:3\n");
  EXPECT_EQ(says(kPairs + three + freed + end), said);
  // Another line is another call: who frees the communicator has not joined.
  EXPECT_EQ(says(kPairs +
                 "0 Ibcast root=0 comm=l request=r @a.c:3\n"
                 "1 Ibcast root=0 comm=h request=r @a.c:7\n"
                 "2 Ibcast root=0 comm=h request=r @a.c:7\n" +
                 freed + end),
            "collective/mismatch: rank 0 calls MPI_Ibcast; rank 1 calls MPI_Comm_free\n");
}

// Rank 1 joins one pair, where its partner never comes, instead of the other, whichever is looked
// at first.
TEST(Mismatch, a_caller_that_is_awaited_on_another_communicator) {
  const std::string end = on(3, "Finalize @a.c:6");
  const auto said = [](int first, int second) {
    return fmt::format(
        "collective/mismatch: rank {} calls MPI_Ibcast on the communicator made at {}; rank {} "
        "calls MPI_Ibcast on the communicator made at {}\n",
        first, mention(Site{1}), second, mention(Site{2}));
  };
  EXPECT_EQ(says(kPairs +
                 "1 Ibcast root=0 comm=l request=r @a.c:3\n"
                 "2 Ibcast root=0 comm=h request=r @a.c:3\n" +
                 end),
            said(1, 2));
  EXPECT_EQ(says(kPairs +
                 "0 Ibcast root=0 comm=l request=r @a.c:3\n"
                 "1 Ibcast root=0 comm=h request=r @a.c:3\n" +
                 end),
            said(0, 1));
}

// What is said of who has joined is said of one communicator.
TEST(Mismatch, findings_on_two_communicators_at_one_line_stay_apart) {
  const auto findings = [](const std::string& text) {
    return run_text_summary(text, make_analyses).findings;
  };
  // Not the same collective: nobody has mixed them up.
  const std::string text = kPairs +
                           "0 Ibcast root=0 comm=l request=r @a.c:3\n"
                           "1 Ibarrier comm=h request=r @a.c:3\n";
  int unmatched = 0;
  for (const Finding& f : findings(text + on(3, "Finalize @a.c:6"))) {
    if (f.rule != "unmatched/collective") continue;
    ++unmatched;
    EXPECT_EQ(f.ranks.size(), 1u) << f.message;
  }
  EXPECT_EQ(unmatched, 2);
}

TEST(Mismatch, inside_the_callbacks_of_a_communicator_that_is_freed) {
  const std::string made = on(3, "Comm_dup newcomm=c");
  const auto frees = [](const std::string& rank) {
    return rank + " Comm_free comm=c @a.c:1 ...\n" + rank + " Barrier comm=c @a.c:2\n" + rank +
           " return\n";
  };
  EXPECT_EQ(found(made + frees("0") + frees("1") + frees("2") + on(3, "Barrier")), "");
  EXPECT_EQ(says(made + frees("0") + "1 Comm_free comm=c @a.c:1\n" + frees("2")),
            "collective/mismatch: ranks 0,2 call MPI_Barrier; rank 1 has freed the communicator "
            "without joining\n");
}

TEST(Mismatch, windows_and_files) {
  const std::string made = on(2, "Win_create size=8 win=w") + on(2, "File_open amode=2 fh=f");
  EXPECT_EQ(
      found(made + on(2, "Win_fence win=w") + on(2, "File_sync fh=f") + on(2, "Win_free win=w")),
      "");
  EXPECT_EQ(found(made + two("Win_fence win=w @a.c:1 ...", "Win_free win=w @a.c:2 ...")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(made + two("File_read_all fh=f @a.c:1", "File_write_all fh=f @a.c:2")),
            "collective/mismatch ranks=0,1 @a.c:1\n");
  EXPECT_EQ(
      found(made + "0 Win_fence win=w\n0 File_sync fh=f\n1 File_sync fh=f\n1 Win_fence win=w\n"),
      "");
}

TEST(Mismatch, a_broken_call_takes_its_wave_out) {
  EXPECT_EQ((run<Argument, Collective>("0 Bcast root=7 @a.c:1\n1 Barrier @a.c:2\n")),
            "argument/root ranks=0 @a.c:1\n");
}

TEST(Mismatch, what_follows_from_a_broken_call_is_no_finding) {
  // Rank 1 passed a communicator that it had freed: it is missing where the others wait.
  EXPECT_EQ((run<Argument, Collective>(
                "0 Comm_dup newcomm=c\n0 Comm_free comm=c\n0 Barrier ...\n1 Comm_dup newcomm=c\n1 "
                "Comm_free comm=c\n1 Barrier comm=c @a.c:1 !ERR_COMM\n1 Finalize ...\n")),
            "argument/communicator ranks=1 @a.c:1\n");
}

TEST(Mismatch, after_a_call_that_failed) {
  EXPECT_EQ(found(two("Barrier !ERR_OTHER", "Barrier") + two("Barrier @a.c:1", "Bcast @a.c:2")),
            "not-checked collectives of a communicator\n");
  EXPECT_EQ(found(two("Barrier !ERR_OTHER", "Barrier") + two("Bcast @a.c:1", "Bcast @a.c:2")), "");
}

// [U62]
TEST(Blocking, forms_do_not_match) {
  EXPECT_EQ(found(two("Bcast @a.c:1", "Ibcast request=r @a.c:2")),
            "collective/blocking ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(two("Bcast_init request=r @a.c:1", "Ibcast request=r @a.c:2")),
            "collective/blocking ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(on(2, "Ibcast request=r") + "0 Wait request=r\n1 Test request=r -> flag=true\n"),
            "");
  EXPECT_EQ(found(two("Bcast count=1 datatype=INT", "Bcast_c count=1 datatype=INT")), "");
}

TEST(Blocking, persistent_by_initialisation) {  // [U34]
  const std::string init = on(2, "Bcast_init request=a") + on(2, "Barrier_init request=b");
  EXPECT_EQ(
      found(init + "0 Start request=a\n0 Start request=b\n1 Start request=b\n1 Start request=a\n"),
      "");
  EXPECT_EQ(found("0 Bcast_init request=a @a.c:1\n0 Barrier_init request=b @a.c:2\n1 Barrier_init "
                  "request=b @a.c:2\n1 Bcast_init request=a @a.c:1\n"),
            "collective/mismatch ranks=0,1 @a.c:1\n");
}

TEST(Root, must_be_one) {
  EXPECT_EQ(found(two("Bcast root=0 @a.c:1", "Bcast root=1 @a.c:1")),
            "collective/root ranks=0,1 @a.c:1\n");
  EXPECT_EQ(says(on(7, "Bcast root=0 @a.c:1") + "7 Bcast root=1 @a.c:1\n"),
            "collective/root: root=1 on rank 7; root=0 on ranks 0-6\n");
  EXPECT_EQ(found(on(2, "Reduce root=1")), "");
}

TEST(Root, inter_communicators) {  // [U36]
  EXPECT_EQ(found(kInter + "0 Bcast root=ROOT comm=i\n1 Bcast root=PROC_NULL comm=i\n2 Bcast "
                           "root=0 comm=i\n3 Bcast root=0 comm=i\n"),
            "");
  EXPECT_EQ(
      found(kInter + on(4, "Barrier comm=i") + on(4, "Allreduce count=2 datatype=INT comm=i")), "");
  EXPECT_EQ(found(kInter + "0 Gather sendcount=9 recvcount=3 recvtype=INT root=ROOT comm=i\n1 "
                           "Gather root=PROC_NULL comm=i\n"
                           "2 Gather sendcount=3 sendtype=INT root=0 comm=i\n3 Gather sendcount=3 "
                           "sendtype=INT root=0 comm=i\n"),
            "");
  EXPECT_EQ(found(kInter + "0 Bcast root=ROOT comm=i @a.c:1\n1 Bcast root=ROOT comm=i @a.c:1\n2 "
                           "Bcast root=0 comm=i @a.c:1\n3 Bcast root=0 comm=i @a.c:1\n"),
            "collective/root ranks=0,2 @a.c:1\n");
  EXPECT_EQ(found(kInter + "0 Bcast root=PROC_NULL comm=i @a.c:1\n1 Bcast root=ROOT comm=i "
                           "@a.c:1\n2 Bcast root=0 comm=i @a.c:1\n3 Bcast root=0 comm=i @a.c:1\n"),
            "collective/root ranks=0,1,2 @a.c:1\n");
  // Of those that came; a root that has not come may still be the one.
  EXPECT_EQ(
      found(kInter + "0 Bcast root=ROOT comm=i @a.c:1 ...\n2 Bcast root=1 comm=i @a.c:2 ...\n"),
      "collective/root ranks=0,2 @a.c:2\n");
  EXPECT_EQ(found(kInter + "1 Bcast root=PROC_NULL comm=i ...\n2 Bcast root=0 comm=i ...\n"), "");
  EXPECT_EQ(
      says(kInter + "0 Bcast root=ROOT comm=i @a.c:1\n1 Bcast root=0 comm=i @a.c:2\n2 Bcast "
                    "root=0 comm=i @a.c:3\n3 Bcast root=0 comm=i @a.c:3\n"),
      "collective/root: root=0 in the root's group, where it must be MPI_PROC_NULL on rank 1; "
      "root=MPI_ROOT on rank 0; root=0 in the other group on ranks 2,3\n");
  EXPECT_EQ(found(kInter + "0 Barrier comm=i @a.c:1\n1 Barrier comm=i @a.c:1\n2 Barrier comm=i "
                           "@a.c:1\n3 Allreduce comm=i @a.c:2\n"),
            "collective/mismatch ranks=0,3 @a.c:2\n");
}

TEST(OpAgreement, predefined_ops) {
  EXPECT_EQ(found(two("Allreduce op=SUM @a.c:1", "Allreduce op=MAX @a.c:1")),
            "collective/op ranks=0,1 @a.c:1\n");
  EXPECT_EQ(says(on(2, "Reduce op=SUM") + "2 Reduce op=PROD\n"),
            "collective/op: MPI_PROD on rank 2; MPI_SUM on ranks 0,1\n");
  EXPECT_EQ(found("0 Op_create commute=1 op=o\n" +
                  two("Allreduce op=o @a.c:1", "Allreduce op=MAX @a.c:1")),
            "collective/op ranks=0,1 @a.c:1\n");
}

TEST(OpAgreement, each_rank_its_own_user_op_on_a_derived_type) {  // [U38]
  EXPECT_EQ(found("0 Op_create commute=1 op=o\n1 Op_create commute=0 op=p\n" +
                  on(2, "Type_contiguous count=2 oldtype=INT newtype=t") +
                  two("Allreduce count=3 datatype=t op=o", "Allreduce count=6 datatype=INT op=p")),
            "");
}

TEST(TypeAgreement, broadcast) {  // [U16]
  const std::string types =
      on(2, "Type_contiguous count=10 oldtype=INT newtype=c") +
      on(2, "Type_vector count=5 blocklength=2 stride=3 oldtype=INT newtype=v");
  EXPECT_EQ(found(types + two("Bcast count=10 datatype=INT", "Bcast count=1 datatype=c")), "");
  EXPECT_EQ(found(types + two("Bcast count=10 datatype=INT", "Bcast count=1 datatype=v")), "");
  EXPECT_EQ(
      found(types + two("Bcast count=9 datatype=INT @a.c:1", "Bcast count=1 datatype=v @a.c:2")),
      "collective/type ranks=0,1 @a.c:1\n");
  EXPECT_EQ(says(on(3, "Bcast count=10 datatype=INT") + "3 Bcast count=9 datatype=INT\n"),
            "collective/type: 9 MPI_INT on rank 3; 10 MPI_INT on ranks 0-2\n");
  EXPECT_EQ(found(two("Bcast count=0 datatype=INT", "Bcast count=0 datatype=DOUBLE")), "");
  EXPECT_EQ(
      found(two("Bcast count=1 datatype=DOUBLE @a.c:1", "Bcast count=8 datatype=BYTE @a.c:1")),
      "collective/type ranks=0,1 @a.c:1 (warning)\n");
  EXPECT_EQ(found(two("Bcast count=1 datatype=DOUBLE", "Bcast count=8 datatype=PACKED")), "");
}

TEST(TypeAgreement, reductions) {
  for (const char* call : {"Allreduce", "Reduce", "Scan", "Exscan", "Iallreduce request=r"}) {
    const std::string name = call;
    EXPECT_EQ(
        found(two(name + " count=2 datatype=INT @a.c:1", name + " count=3 datatype=INT @a.c:1")),
        "collective/type ranks=0,1 @a.c:1\n")
        << name;
    EXPECT_EQ(found(two(name + " count=2 datatype=INT", name + " count=2 datatype=INT")), "")
        << name;
  }
  EXPECT_EQ(found(on(2, "Reduce_scatter recvcounts=[1,2] datatype=INT")), "");
  EXPECT_EQ(says(two("Reduce_scatter recvcounts=[1,2] datatype=INT",
                     "Reduce_scatter recvcounts=[1,3] datatype=INT")),
            "collective/type: 2 MPI_INT for rank 1 on rank 0; 3 MPI_INT for rank 1 on rank 1\n");
  EXPECT_EQ(found(two("Reduce_scatter_block recvcount=1 datatype=INT @a.c:1",
                      "Reduce_scatter_block recvcount=2 datatype=INT @a.c:1")),
            "collective/type ranks=0,1 @a.c:1\n");
}

// [U58]
TEST(TypeAgreement, gather_and_scatter) {
  EXPECT_EQ(says("0 Gather sendcount=1 sendtype=INT recvcount=1 recvtype=INT @a.c:1\n1 Gather "
                 "sendcount=2 sendtype=INT @a.c:2\n"),
            "collective/type: rank 1 gives 2 MPI_INT, rank 0 expects 1 MPI_INT\n");
  EXPECT_EQ(found("0 Gather sendcount=1 sendtype=INT recvcount=1 recvtype=INT @a.c:1\n1 Gather "
                  "sendcount=2 sendtype=INT @a.c:2\n"),
            "collective/type ranks=0,1 @a.c:2\n");
  EXPECT_EQ(found("0 Gather sendbuf=IN_PLACE sendcount=7 sendtype=CHAR recvcount=1 recvtype=INT\n1 "
                  "Gather sendcount=1 sendtype=INT\n"),
            "");
  EXPECT_EQ(found("0 Gatherv sendcount=1 sendtype=INT recvcounts=[1,2] recvtype=INT\n1 Gatherv "
                  "sendcount=2 sendtype=INT\n"),
            "");
  EXPECT_EQ(found("0 Gatherv sendcount=1 sendtype=INT recvcounts=[1,1] recvtype=INT @a.c:1\n1 "
                  "Gatherv sendcount=2 sendtype=INT @a.c:2\n"),
            "collective/type ranks=0,1 @a.c:2\n");
  EXPECT_EQ(found("0 Scatter sendcount=4 sendtype=INT recvbuf=IN_PLACE @a.c:1\n1 Scatter "
                  "recvcount=4 recvtype=FLOAT @a.c:2\n"),
            "collective/type ranks=0,1 @a.c:2\n");
  EXPECT_EQ(found("0 Scatterv sendcounts=[0,3] sendtype=INT recvcount=0 recvtype=DATATYPE_NULL\n1 "
                  "Scatterv recvcount=3 recvtype=INT\n"),
            "");
  // All leaves disagree with the root: it is the odd one.
  EXPECT_EQ(found("0 Scatter sendcount=2 sendtype=INT recvcount=1 recvtype=INT @a.c:1\n1 Scatter "
                  "recvcount=1 recvtype=INT @a.c:2\n2 Scatter recvcount=1 recvtype=INT @a.c:2\n"),
            "collective/type ranks=0 @a.c:1\n");
}

// [U58]
TEST(TypeAgreement, all_to_all) {
  EXPECT_EQ(found(on(3, "Allgather sendcount=2 sendtype=INT recvcount=2 recvtype=INT")), "");
  EXPECT_EQ(found(on(3, "Alltoall sendcount=2 sendtype=INT recvcount=2 recvtype=INT")), "");
  EXPECT_EQ(found(on(3, "Alltoall sendbuf=IN_PLACE recvcount=2 recvtype=INT")), "");
  EXPECT_EQ(found(on(2, "Allgather sendcount=2 sendtype=INT recvcount=2 recvtype=INT @a.c:1") +
                  "2 Allgather sendcount=3 sendtype=INT recvcount=2 recvtype=INT @a.c:2\n"),
            "collective/type ranks=0,2 @a.c:2\n");
  EXPECT_EQ(
      found(
          "0 Allgatherv sendcount=1 recvcounts=[1,2]\n1 Allgatherv sendcount=2 recvcounts=[1,2]\n"),
      "");
  EXPECT_EQ(found("0 Allgatherv sendcount=1 recvcounts=[1,2] @a.c:1\n1 Allgatherv sendcount=2 "
                  "recvcounts=[1,3] @a.c:2\n"),
            "collective/type ranks=1 @a.c:2\n");
  EXPECT_EQ(found("0 Alltoallv sendcounts=[1,2] recvcounts=[1,3]\n1 Alltoallv sendcounts=[3,4] "
                  "recvcounts=[2,4]\n"),
            "");
  EXPECT_EQ(says("0 Alltoallv sendcounts=[1,2] sendtype=INT recvcounts=[1,3] recvtype=INT\n1 "
                 "Alltoallv sendcounts=[3,4] sendtype=INT recvcounts=[5,4] recvtype=INT\n"),
            "collective/type: rank 0 gives 2 MPI_INT, rank 1 expects 5 MPI_INT\n");
  EXPECT_EQ(found("0 Alltoallv sendbuf=IN_PLACE recvcounts=[1,3] @a.c:1\n1 Alltoallv "
                  "sendbuf=IN_PLACE recvcounts=[2,4] @a.c:2\n"),
            "collective/type ranks=0,1 @a.c:1\n");
}

TEST(TypeAgreement, a_null_type_beside_a_zero) {  // [U18]
  EXPECT_EQ(found("0 Alltoallw sendcounts=[0,2] sendtypes=[DATATYPE_NULL,INT] recvcounts=[0,0] "
                  "recvtypes=[DATATYPE_NULL,DATATYPE_NULL]\n"
                  "1 Alltoallw sendcounts=[0,0] sendtypes=[DATATYPE_NULL,DATATYPE_NULL] "
                  "recvcounts=[2,0] recvtypes=[INT,DATATYPE_NULL]\n"),
            "");
}

TEST(TypeAgreement, one_wrong_pair_of_many) {  // [U17]
  constexpr int kRanks = 64;
  std::string text;
  for (int i = 0; i < kRanks; ++i) {
    std::string send, recv;
    for (int j = 0; j < kRanks; ++j) {
      send += (j > 0 ? "," : "") + std::to_string(1 + (i * 7 + j) % 5);
      recv += (j > 0 ? "," : "") + std::to_string(i == 41 && j == 17 ? 9 : 1 + (j * 7 + i) % 5);
    }
    text += std::to_string(i) + " Alltoallv sendcounts=[" + send + "] sendtype=INT recvcounts=[" +
            recv + "] recvtype=INT\n";
  }
  EXPECT_EQ(says(text), "collective/type: rank 17 gives 1 MPI_INT, rank 41 expects 9 MPI_INT\n");
}

TEST(TypeAgreement, edges_of_a_grid) {
  std::string made;
  for (int r = 0; r < 3; ++r) {
    made += std::to_string(r) + " Cart_create ndims=1 dims=[3] periods=[0] comm_cart=g\n" +
            std::to_string(r) + " comm g size=3 rank=" + std::to_string(r) +
            " members=0,1,2 topology=cart indegree=2 outdegree=2\n";
  }
  const std::string call = "Neighbor_alltoallv comm=g sendtype=INT recvtype=INT ";
  EXPECT_EQ(
      found(made + "0 " + call + "sendcounts=[9,1] recvcounts=[9,2]\n1 " + call +
            "sendcounts=[2,3] recvcounts=[1,4]\n2 " + call + "sendcounts=[4,9] recvcounts=[3,9]\n"),
      "");
  EXPECT_EQ(found(made + "0 " + call + "sendcounts=[9,1] recvcounts=[9,2] @a.c:1\n1 " + call +
                  "sendcounts=[2,3] recvcounts=[1,4] @a.c:2\n2 " + call +
                  "sendcounts=[4,9] recvcounts=[5,9] @a.c:3\n"),
            "collective/type ranks=1,2 @a.c:2\n");
}

TEST(InPlaceAgreement, where_all_must) {
  EXPECT_EQ(found(two("Allreduce sendbuf=IN_PLACE @a.c:1", "Allreduce @a.c:2")),
            "collective/in-place ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(two("Alltoall sendbuf=IN_PLACE @a.c:1", "Alltoall @a.c:2")),
            "collective/in-place ranks=0,1 @a.c:1 (error)\n");
  EXPECT_EQ(found(two("Scan sendbuf=IN_PLACE", "Scan")), "");
  EXPECT_EQ(found(two("Reduce sendbuf=IN_PLACE", "Reduce")), "");
  EXPECT_EQ(found(two("Reduce_scatter sendbuf=IN_PLACE", "Reduce_scatter")), "");
  EXPECT_EQ(found(on(2, "Allgather sendbuf=IN_PLACE recvcount=2")), "");
}

TEST(ConstructorAgreement, arguments) {
  EXPECT_EQ(found(two("Cart_create ndims=1 dims=[2] periods=[0] @a.c:1",
                      "Cart_create ndims=1 dims=[1] periods=[0] @a.c:1")),
            "collective/constructor ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(two("Cart_create ndims=1 dims=[2] periods=[1]",
                      "Cart_create ndims=1 dims=[2] periods=[2]")),
            "");
  EXPECT_EQ(found(two("Comm_split color=0 newcomm=c", "Comm_split color=1 newcomm=c")), "");
  EXPECT_EQ(found(two("Comm_split_type split_type=UNDEFINED newcomm=COMM_NULL",
                      "Comm_split_type split_type=COMM_TYPE_SHARED newcomm=c")),
            "");
  EXPECT_EQ(
      found(two("Win_create size=8 disp_unit=4 win=w", "Win_create size=0 disp_unit=1 win=w")), "");
}

TEST(ConstructorAgreement, groups) {  // [U37]
  const auto group = [](int rank, const std::string& ranks, int n) {
    const std::string r = std::to_string(rank);
    return r + " Comm_group group=w\n" + r + " Group_incl group=w n=" + std::to_string(n) +
           " ranks=[" + ranks + "] newgroup=g\n";
  };
  const auto create = [](int rank, const std::string& made) {
    return std::to_string(rank) + " Comm_create group=g newcomm=" + made + " @a.c:1\n";
  };
  EXPECT_EQ(found(group(0, "0,1", 2) + group(1, "1,0", 2) + create(0, "c") + create(1, "c")),
            "collective/constructor ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(group(0, "0", 1) + group(1, "1", 1) + create(0, "c") + create(1, "c")), "");
  EXPECT_EQ(found(group(0, "0", 1) + create(0, "c") +
                  "1 Comm_create group=GROUP_EMPTY newcomm=COMM_NULL\n"),
            "");
  EXPECT_EQ(found(kInter + on(4, "Finalize")), "");
}

TEST(UnmatchedCollective, nonblocking_never_joined) {
  EXPECT_EQ(found(two("Ibarrier request=r @a.c:1", "Barrier comm=COMM_SELF") + on(2, "Finalize")),
            "unmatched/collective ranks=0 @a.c:1\n");
  EXPECT_EQ(says(two("Ibarrier request=r @a.c:1", "Barrier comm=COMM_SELF") + on(2, "Finalize")),
            "unmatched/collective: rank 1 never joined\n");
  EXPECT_EQ(found(on(2, "Ibarrier request=r") + on(2, "Wait request=r") + on(2, "Finalize")), "");
  EXPECT_EQ(found(two("Ibarrier request=r @a.c:1", "Recv source=0 ...")), "");
}

TEST(CollectiveConsequences, what_the_library_does_then) {
  EXPECT_EQ((run<Collective, Crash>("0 Bcast count=1 datatype=INT @a.c:1\n1 Bcast count=2 "
                                    "datatype=INT @a.c:2 !ERR_TRUNCATE\n" +
                                    on(2, "Finalize"))),
            "collective/type ranks=0,1 @a.c:1\n");
  EXPECT_EQ(
      (run<Collective, Crash>(
          "1 Bcast count=2 datatype=INT @a.c:2 !ERR_OTHER\n0 Bcast count=1 datatype=INT @a.c:1\n" +
          on(2, "Finalize"))),
      "collective/type ranks=0,1 @a.c:1\n");
  EXPECT_EQ((run<Collective, Crash>("1 Bcast count=2 datatype=INT @a.c:2 ...\n1 exit 15\n0 Bcast "
                                    "count=1 datatype=INT @a.c:1 ...\n0 killed\n")),
            "collective/type ranks=0,1 @a.c:1\nnot-checked rank 0\n");
}

TEST(Types, reduce_scatter_between_groups) {
  const auto all = [](const std::string& left, const std::string& right) {
    return kInter + "0 Reduce_scatter comm=i recvcounts=" + left +
           " @a.c:1\n1 Reduce_scatter comm=i recvcounts=" + left +
           " @a.c:1\n2 Reduce_scatter comm=i recvcounts=" + right +
           " @a.c:1\n3 Reduce_scatter comm=i recvcounts=" + right + " @a.c:1\n";
  };
  EXPECT_EQ(found(all("[1,3]", "[2,2]")), "");
  EXPECT_EQ(found(all("[1,3]", "[2,3]")), "collective/type ranks=0,2 @a.c:1\n");
  // The library ends the job before ranks 1 and 3 have come.
  EXPECT_EQ(found(kInter + "0 Reduce_scatter comm=i recvcounts=[1,3] @a.c:1 ...\n2 Reduce_scatter "
                           "comm=i recvcounts=[2,3] @a.c:1 ...\n"),
            "collective/type ranks=0,2 @a.c:1\n");
  EXPECT_EQ(found(kInter + "0 Reduce_scatter comm=i recvcounts=[1,3] @a.c:1\n1 Reduce_scatter "
                           "comm=i recvcounts=[2,2] @a.c:1\n2 Reduce_scatter comm=i "
                           "recvcounts=[2,2] @a.c:1\n3 Reduce_scatter comm=i recvcounts=[2,2] "
                           "@a.c:1\n"),
            "collective/type ranks=0,1 @a.c:1\n");
}

TEST(Constructor, reorder) {
  EXPECT_EQ(found(two("Cart_create dims=[2] periods=[0] reorder=0 @a.c:1",
                      "Cart_create dims=[2] periods=[0] reorder=1 @a.c:1")),
            "collective/constructor ranks=0,1 @a.c:1\n");
  EXPECT_EQ(found(two("Cart_create dims=[2] periods=[0] reorder=3",
                      "Cart_create dims=[2] periods=[0] reorder=1")),
            "");
}

}  // namespace
}  // namespace vouch
