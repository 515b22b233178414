// Order through memory: which of it can be, and what it costs.

#include "analysis/rma/race/memory_order.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/rma/race/races.h"
#include "analysis/rma/rma.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string on_all(int n, const std::string& call) {
  std::string text;
  for (int r = 0; r < n; ++r) text += std::to_string(r) + " " + call + "\n";
  return text;
}
// Windows w and v of 64 bytes over one memory, at 0x1000 of each process.
std::string race_of(int n, const std::string& text) {
  const std::string window = "Win_create base=0x1000 size=64 disp_unit=1 win=";
  return run<Rma, OneSidedRaces>(on_all(n, window + "w") + on_all(n, window + "v") + text);
}
std::string update(int by, const char* op, int target, int disp, const char* place = "z.c:1") {
  return std::to_string(by) +
         " Accumulate win=w origin_addr=0x9000 origin_datatype=INT target_datatype=INT op=" + op +
         " target_rank=" + std::to_string(target) + " target_disp=" + std::to_string(disp) + " @" +
         place + "\n";
}
std::string fetch(int by, const char* op, int target, int disp, const char* place = "z.c:2") {
  return std::to_string(by) +
         " Fetch_and_op win=w origin_addr=0x9100 result_addr=0x9200 datatype=INT op=" + op +
         " target_rank=" + std::to_string(target) + " target_disp=" + std::to_string(disp) + " @" +
         place + "\n";
}
std::string flush(int by, int target) {
  return std::to_string(by) + " Win_flush win=w rank=" + std::to_string(target) + "\n";
}

// [W10] Rank 0 is over with its update after it has heard of rank 1's: what might lead from the one
// to the other comes to a flush that lies before both.
TEST(MemoryOrder, no_chain_comes_back_before_its_beginning) {
  EXPECT_EQ(
      race_of(2, on_all(2, "Win_lock_all win=w") + update(0, "SUM", 1, 0, "a") +
                     on_all(2, "Barrier") + flush(0, 0) + fetch(0, "PROD", 1, 16) + flush(1, 1) +
                     fetch(1, "PROD", 1, 0, "b") + "1 Send dest=0\n0 Recv source=1\n" +
                     flush(0, 1) + flush(1, 1) + fetch(0, "SUM", 1, 16) + update(1, "SUM", 0, 8) +
                     on_all(2, "Win_unlock_all win=w")),
      "rma/race ranks=0,1 @a\n");
}

// [W10] An update of every second number is not seen by who polls between them.
TEST(MemoryOrder, exact_bytes) {
  const auto with = [](int polled) {
    return race_of(3,
                   on_all(3, "Win_lock_all win=w") +
                       "0 Type_vector count=4 blocklength=1 stride=2 oldtype=INT newtype=t\n"
                       "0 Type_commit datatype=t\n"
                       "0 Put win=w origin_addr=0x9000 target_rank=2 target_disp=0 @a\n" +
                       flush(0, 2) +
                       "0 Accumulate win=w origin_addr=0x9000 origin_count=4 origin_datatype=INT "
                       "target_datatype=t op=REPLACE target_rank=2 target_disp=16\n" +
                       flush(0, 2) + fetch(1, "NO_OP", 2, polled) + flush(1, 2) +
                       "1 Put win=w origin_addr=0x9000 target_rank=2 target_disp=0 @b\n");
  };
  EXPECT_EQ(with(24), "");
  EXPECT_EQ(with(20), "rma/race ranks=0,1 @a\n");
}

// Two updates of one line, side by side: the second may tell that the first is over, but nothing
// tells that the second is.
TEST(MemoryOrder, accesses_are_not_one_if_something_was_told_in_between) {
  const auto with = [](int used) {
    return race_of(2, on_all(2, "Win_lock_all win=w") + update(0, "PROD", 1, 16, "a") +
                          flush(0, 1) + update(0, "PROD", 1, 12, "a") + "0 Win_unlock_all win=w\n" +
                          "1 Reduce_local inbuf=0x8000 inoutbuf=" + std::to_string(0x1000 + used) +
                          " count=1 datatype=INT @b\n");
  };
  EXPECT_EQ(with(16), "");
  EXPECT_EQ(with(12), "rma/race ranks=0,1 @a\n");
}

// The memory is exposed by a fence: what its owner has seen by then lies before, also of what the
// same process has called.
TEST(MemoryOrder, may_come_before_the_fence_that_exposes) {
  const std::string two = on_all(2, "Win_lock_all win=w") +
                          on_all(2, "Win_fence win=v assert=MODE_NOPRECEDE") +
                          "0 Put win=w origin_addr=0x9000 target_rank=1 target_disp=4 @b\n"
                          "0 Put win=v origin_addr=0x9010 target_rank=1 target_disp=4 @a\n" +
                          flush(0, 1);
  const std::string end = on_all(2, "Win_unlock_all win=w") + on_all(2, "Win_fence win=v");
  EXPECT_EQ(race_of(2, two + update(0, "SUM", 1, 56) + end), "");
  EXPECT_EQ(race_of(2, two + end), "rma/race ranks=0 @a\n");
}

// [W8] Who waits for the complete of an origin knows that what it has fetched from itself is over,
// not what it fetches elsewhere.
TEST(MemoryOrder, get_ends_by_the_wait_of_its_target) {
  const std::string groups = on_all(3, "Comm_group group=c") +
                             "0 Group_incl group=c ranks=[1,2] newgroup=g\n"
                             "1 Group_incl group=c ranks=[0] newgroup=g\n"
                             "2 Group_incl group=c ranks=[0] newgroup=g\n";
  const std::string epoch =
      groups +
      "1 Win_post group=g win=w\n2 Win_post group=g win=w\n0 Win_start group=g win=w\n"
      "0 Get origin_addr=0x9000 target_rank=1 target_disp=0 win=w @a\n0 Win_complete win=w\n";
  const std::string put =
      "2 Win_lock_all win=v\n2 Put origin_addr=0x9000 target_rank=1 target_disp=0 win=v @b\n";
  EXPECT_EQ(race_of(3, epoch + "2 Win_wait win=w\n1 Win_wait win=w\n" + put),
            "rma/race ranks=0,2 @a\n");
  EXPECT_EQ(race_of(3, epoch +
                           "2 Win_wait win=w\n1 Win_wait win=w\n1 Send dest=2\n"
                           "2 Recv source=1\n" +
                           put),
            "");
}

// [W10] Rank 1 had its lock before the barrier, so not only after rank 0 has released one that it
// excludes.
TEST(MemoryOrder, a_lock_is_granted_once) {
  const std::string get = "1 Get win=w origin_addr=0x9000 target_rank=0 target_disp=0\n";
  const auto with = [&](const std::string& first, const std::string& then) {
    return race_of(2, on_all(2, "Win_lock_all win=w") + first + on_all(2, "Barrier") + then +
                          update(0, "PROD", 1, 60, "a") +
                          "1 Win_unlock_all win=w\n"
                          "1 Reduce_local inbuf=0x8000 inoutbuf=0x103c count=1 datatype=INT @b\n"
                          "0 Win_unlock_all win=w\n"
                          "0 Win_lock lock_type=LOCK_EXCLUSIVE rank=0 win=w\n"
                          "0 Win_unlock rank=0 win=w\n");
  };
  EXPECT_EQ(with("", get), "");
  EXPECT_EQ(with(get + flush(1, 0), get), "rma/race ranks=0,1 @a\n");
}

// That what a process saw is not known is said, where something depends on it.
TEST(MemoryOrder, order_that_is_only_possible_is_named) {
  const std::string put = "0 Put win=w origin_addr=0x9000 target_rank=1 target_disp=0 @a\n";
  const std::string get = "1 Get win=w origin_addr=0x9000 target_rank=1 target_disp=0 @b\n";
  const auto notes = [&](const std::string& text) {
    const Summary summary =
        run_text_summary(on_all(2, "Win_create base=0x1000 size=64 disp_unit=1 win=w") +
                             on_all(2, "Win_lock_all win=w") + text,
                         [](World& world, Sink& sink) {
                           Analyses analyses;
                           analyses.add<OneSidedRaces>(world, sink);
                           return analyses;
                         });
    EXPECT_TRUE(summary.findings.empty());
    std::string all;
    for (const std::string& note : summary.notes) all += note;
    return all.find("what it saw is not recorded") != std::string::npos;
  };
  const std::string counted = put + flush(0, 1) + update(0, "SUM", 1, 16) + flush(0, 1) +
                              fetch(1, "SUM", 1, 16) + flush(1, 1) + get;
  EXPECT_TRUE(notes(counted));
  EXPECT_FALSE(notes(put + flush(0, 1) + on_all(2, "Barrier") + get));
}

// Puts of flags cost nothing unless somebody calls MPI_Win_sync, shared locks nothing unless one is
// exclusive.
TEST(MemoryOrder, what_nobody_can_read_is_not_looked_at) {
  rma::MemoryOrder memory;
  rma::Location put, lock;
  put.sort.what = rma::Touches::target_write;
  put.region.hi = 4;
  lock.what = rma::Location::What::lock;
  lock.lock.window = 1;
  for (std::uint32_t i = 0; i <= rma::MemoryOrder::kMost; ++i) {
    put.space = lock.space = i;
    memory.wrote(put, {0, i, {}, {}});
    memory.wrote(lock, {0, i, {}, {}});
  }
  EXPECT_FALSE(memory.overflown());
  lock.lock.exclusive = true;
  memory.read(lock, {});
  EXPECT_TRUE(memory.overflown());
}

TEST(MemoryOrder, too_many_flags_for_those_who_sync) {
  rma::MemoryOrder memory;
  rma::Location put, view;
  put.sort.what = rma::Touches::target_write;
  put.region.hi = 4;
  for (std::uint32_t i = 0; i <= rma::MemoryOrder::kMost; ++i) {
    put.space = i;
    memory.wrote(put, {0, i, {}, {}});
  }
  view.what = rma::Location::What::views;
  memory.read(view, {});
  EXPECT_FALSE(memory.overflown());
  view.synced = true;
  memory.read(view, {});
  EXPECT_TRUE(memory.overflown());
}

}  // namespace
}  // namespace vouch
