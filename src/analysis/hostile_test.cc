// Records that claim more than they hold: a few words can speak of a million ranks.

#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/collective/collective.h"
#include "analysis/collective/parts.h"
#include "analysis/deadlock/deadlock.h"
#include "analysis/io/io.h"
#include "analysis/rma/rma.h"
#include "analysis/testing/run_text.h"
#include "base/little_memory_test.h"
#include "wait/snapshot.h"

namespace vouch {
namespace {

using testing::fits_into;

// 500 communicators, each with other members, used at once.
std::string vast(const std::string& use) {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    const std::string name = "c" + std::to_string(i), size = std::to_string((1 << 20) - i);
    text += "0 Comm_split color=0 key=0 ...\n0 comm " + name + " size=" + size +
            " rank=0 runs=[0,1," + size + "]\n0 return -> newcomm=" + name + "\n";
    std::string line = use;
    for (std::size_t at; (at = line.find('%')) != line.npos;)
      line.replace(at, 1, std::to_string(i));
    text += line;
  }
  return text;
}

TEST(Hostile, vast_communicators_in_the_wait_state) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    run<DeadlockSearch>(vast("0 Isend dest=1 comm=c% -> request=r%\n0 Irecv source=ANY_SOURCE "
                             "comm=c% -> request=s%\n") +
                        "0 Waitall array_of_requests=[r0,s0] ...\n");
  }));
}

TEST(Hostile, vast_groups_that_make_communicators) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    run<PartConstructors>(
        vast("0 Comm_group comm=c% -> group=g%\n0 Comm_create_group group=g% tag=% ...\n"
             "0 return !ERR_GROUP\n"));
  }));
  // Named, since it was not compared.
  EXPECT_EQ(run<PartConstructors>("0 Comm_split color=0 key=0 ...\n"
                                  "0 comm c size=1000000 rank=0 runs=[0,1,1000000]\n"
                                  "0 return -> newcomm=c\n0 Comm_group comm=c -> group=g\n"
                                  "0 Comm_create_group group=g tag=1 ...\n"),
            "not-checked MPI_Comm_create_group\n");
}

TEST(Hostile, vast_groups_of_epochs) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    run<DeadlockSearch>("0 Win_create -> win=w\n" +
                        vast("0 Comm_group comm=c% -> group=g%\n0 Win_post group=g% win=w\n"));
  }));
}

TEST(Hostile, vast_windows_and_graphs) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    run<Rma>(vast("0 Win_create comm=c% -> win=w%\n"));
    run<Collective>(
        vast("0 Dist_graph_create_adjacent comm_old=c% indegree=1 sources=[1] outdegree=1 "
             "destinations=[1] ...\n0 comm d% size=1048576 rank=0 topology=dist_graph indegree=1 "
             "outdegree=1 runs=[0,1,1048576]\n0 return -> comm_dist_graph=d%\n"));
  }));
}

TEST(Hostile, vast_files) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    run<Io>(
        vast("0 File_open comm=c% filename=\"f\" amode=9 -> fh=f%\n"
             "0 File_write_shared fh=f% buf=0x1000 count=1 datatype=MPI_INT\n"
             "0 File_write_ordered fh=f% buf=0x1000 count=1 datatype=MPI_INT\n"
             "0 File_sync fh=f%\n"));
  }));
}

// One rank many times, far apart from the others.
TEST(Hostile, waits_for_any_of_many_that_are_the_same) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    wait::RankSet set;
    for (int rank = 0; rank < 100'000; ++rank) set.add(2 * rank);
    for (int times = 0; times < 100'000; ++times) set.add(199'998);
  }));
}

TEST(Hostile, subgroups_of_vast_groups) {
  EXPECT_TRUE(fits_into(100, 20, [] {
    run<Argument>(
        vast("0 Comm_group comm=c% -> group=g%\n0 Comm_create comm=c0 group=g% ...\n"
             "0 return !ERR_GROUP\n"));
  }));
}

}  // namespace
}  // namespace vouch
