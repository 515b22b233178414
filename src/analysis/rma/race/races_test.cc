#include "analysis/rma/race/races.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/rma/rma.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// Windows of 64 bytes at 0x1000 of each process, in units of a byte; lines are numbered by a.c.
std::string made(int n) {
  std::string text;
  for (int r = 0; r < n; ++r)
    text += std::to_string(r) + " Win_create base=0x1000 size=64 disp_unit=1 win=w\n";
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The same records, rank by rank: as if each ring was read to its end before the next.
std::string by_rank(const std::string& text, bool backwards) {
  std::vector<std::string> lines = lines_of(text);
  std::stable_sort(lines.begin(), lines.end(), [&](const std::string& a, const std::string& b) {
    return backwards ? a[0] > b[0] : a[0] < b[0];
  });
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

// What is found, however the ranks are read.
std::string found(int n, const std::string& text) {
  const std::string all = made(n) + text;
  const std::string first = run<Rma, OneSidedRaces>(all);
  EXPECT_EQ(first, (run<Rma, OneSidedRaces>(by_rank(all, false)))) << all;
  EXPECT_EQ(first, (run<Rma, OneSidedRaces>(by_rank(all, true)))) << all;
  return first;
}

const std::string kRace = "rma/race ranks=0,1 @a\n";
const std::string kPutAtA = "0 Put origin_addr=0x9000 target_rank=1 target_disp=0 @a\n";
std::string all_of(int n, const std::string& call) {
  std::string text;
  for (int r = 0; r < n; ++r) text += std::to_string(r) + " " + call + "\n";
  return text;
}
// The target reads or writes its own window by a call.
const std::string kUse = "1 Reduce_local inbuf=0x8000 inoutbuf=0x1000 count=1 datatype=INT @b\n";

// [W8]
TEST(RmaRace, fence_orders) {
  EXPECT_EQ(found(2, all_of(2, "Win_fence") + kPutAtA + all_of(2, "Win_fence") + kUse), "");
  EXPECT_EQ(found(2, all_of(2, "Win_fence") + kPutAtA + kUse + all_of(2, "Win_fence")), kRace);
  EXPECT_EQ(found(2, kUse + all_of(2, "Win_fence") + kPutAtA + all_of(2, "Win_fence")), "");
  // One that only opens lets the target's own use come before.
  EXPECT_EQ(found(2, kUse + all_of(2, "Win_fence assert=MODE_NOPRECEDE") + kPutAtA +
                         all_of(2, "Win_fence")),
            "");
  EXPECT_EQ(found(2, all_of(2, "Win_fence assert=MODE_NOPRECEDE") + kPutAtA + kUse +
                         all_of(2, "Win_fence")),
            kRace);
  // It does not order the origin's other memory.
  EXPECT_EQ(
      found(2, "0 Reduce_local inbuf=0x8000 inoutbuf=0x1000 count=1 datatype=INT @b\n" +
                   all_of(2, "Win_fence assert=MODE_NOPRECEDE") + kPutAtA + all_of(2, "Win_fence")),
      "");
}

TEST(RmaRace, locks_and_messages) {
  const std::string locked = "0 Win_lock_all\n1 Win_lock_all\n";
  EXPECT_EQ(
      found(2, locked + kPutAtA + "0 Win_flush rank=1\n0 Send dest=1\n1 Recv source=0\n" + kUse),
      "");
  EXPECT_EQ(found(2, locked + kPutAtA + "0 Send dest=1\n1 Recv source=0\n" + kUse), kRace);
  EXPECT_EQ(found(2, locked + kPutAtA +
                         "0 Win_flush_local rank=1\n0 Send dest=1\n1 Recv source=0\n" + kUse),
            kRace);
  EXPECT_EQ(
      found(2, locked + kPutAtA + "0 Win_flush rank=0\n0 Send dest=1\n1 Recv source=0\n" + kUse),
      kRace);
  EXPECT_EQ(found(2, locked + kPutAtA + "0 Win_flush_all\n0 Barrier\n1 Barrier\n" + kUse), "");
  EXPECT_EQ(found(2, locked + kPutAtA + "0 Win_unlock_all\n0 Barrier\n1 Barrier\n" + kUse), "");
  EXPECT_EQ(found(2, locked + kPutAtA + "0 Barrier\n1 Barrier\n0 Win_unlock_all\n" + kUse), kRace);
}

// [W11]
TEST(RmaRace, two_operations) {
  const std::string one = "0 Win_lock_all\n1 Win_lock_all\n2 Win_lock_all\n";
  const auto put = [](int by, const char* place, int disp = 0) {
    return std::to_string(by) +
           " Put origin_addr=0x9000 target_rank=1 target_disp=" + std::to_string(disp) + " @" +
           place + "\n";
  };
  EXPECT_EQ(found(3, one + put(0, "a") + put(2, "b")), "rma/race ranks=0,2 @a\n");
  EXPECT_EQ(found(3, one + put(0, "a") + put(2, "b", 4)), "");
  EXPECT_EQ(found(3, one + put(0, "b") + put(0, "a")), "rma/race ranks=0 @a\n");
  EXPECT_EQ(found(3, one + put(0, "b") + "0 Win_flush rank=1\n" + put(0, "a")), "");
  EXPECT_EQ(found(3, one + put(0, "b") + "0 Win_flush_local rank=1\n" + put(0, "a")),
            "rma/race ranks=0 @a\n");
  // Of the same line, over and over.
  EXPECT_EQ(found(3, one + put(0, "a") + put(0, "a") + put(0, "a")), "rma/race ranks=0 @a\n");
  // Epochs of fences.
  EXPECT_EQ(found(3, all_of(3, "Win_fence") + put(0, "a") + all_of(3, "Win_fence") + put(2, "b") +
                         all_of(3, "Win_fence")),
            "");
}

// [W9]
TEST(RmaRace, exclusive_locks) {
  const auto locked = [](const char* type, int by, const char* place) {
    const std::string who = std::to_string(by);
    return who + " Win_lock lock_type=" + type + " rank=1\n" + who +
           " Put origin_addr=0x9000 target_rank=1 target_disp=0 @" + place + "\n" + who +
           " Win_unlock rank=1\n";
  };
  EXPECT_EQ(found(3, locked("LOCK_EXCLUSIVE", 0, "a") + locked("LOCK_EXCLUSIVE", 2, "b")), "");
  EXPECT_EQ(found(3, locked("LOCK_SHARED", 0, "a") + locked("LOCK_EXCLUSIVE", 2, "b")), "");
  EXPECT_EQ(found(3, locked("LOCK_SHARED", 0, "a") + locked("LOCK_SHARED", 2, "b")),
            "rma/race ranks=0,2 @a\n");
  // The target without an epoch.
  EXPECT_EQ(found(2, locked("LOCK_EXCLUSIVE", 0, "a") + kUse), kRace);
  EXPECT_EQ(
      found(2, locked("LOCK_EXCLUSIVE", 0, "a") + "1 Win_lock lock_type=LOCK_SHARED rank=1\n" +
                   kUse + "1 Win_unlock rank=1\n"),
      "");
}

// [W7]
TEST(RmaRace, accumulates) {
  const std::string one = "0 Win_lock_all\n1 Win_lock_all\n2 Win_lock_all\n";
  const auto add = [](int by, const char* op, const char* type, const char* place) {
    return std::to_string(by) + " Accumulate origin_addr=0x9000 origin_datatype=" + type +
           " target_datatype=" + type + " target_rank=1 target_disp=0 op=" + op + " @" + place +
           "\n";
  };
  const std::string race = "rma/race ranks=0,2 @a\n";
  EXPECT_EQ(found(3, one + add(0, "SUM", "INT", "a") + add(2, "SUM", "INT", "b")), "");
  EXPECT_EQ(found(3, one + add(0, "SUM", "INT", "a") + add(2, "PROD", "INT", "b")), race);
  EXPECT_EQ(found(3, one + add(0, "SUM", "INT", "a") + add(2, "SUM", "FLOAT", "b")), race);
  EXPECT_EQ(found(3, one + add(0, "SUM", "INT", "a") +
                         "2 Put origin_addr=0x9000 target_rank=1 target_disp=0 @b\n"),
            race);
  EXPECT_EQ(found(3, one + add(0, "SUM", "INT", "a") + add(0, "REPLACE", "INT", "b")), "");
  EXPECT_EQ(found(3, one + add(0, "SUM", "INT", "a") +
                         "2 Fetch_and_op op=NO_OP datatype=INT target_rank=1 @b\n"),
            "");
}

// MPI-4.1 12.3.4: an element is updated atomically, and what overlaps it in part is another one.
TEST(RmaRace, accumulates_of_other_elements) {
  const std::string one = "0 Win_lock_all\n1 Win_lock_all\n2 Win_lock_all\n";
  const auto add = [](int by, int disp, const char* place, const char* type = "INT",
                      const char* count = "1") {
    return std::to_string(by) + " Accumulate origin_addr=0x9000 origin_count=" + count +
           " origin_datatype=" + type + " target_count=" + count + " target_datatype=" + type +
           " target_rank=1 target_disp=" + std::to_string(disp) + " op=SUM @" + place + "\n";
  };
  const std::string race = "rma/race ranks=0,2 @a\n";
  EXPECT_EQ(found(3, one + add(0, 0, "a") + add(2, 2, "b")), race);
  EXPECT_EQ(found(3, one + add(0, 0, "a") + add(2, 4, "b")), "");
  EXPECT_EQ(found(3, one + add(0, 0, "a", "INT", "4") + add(2, 8, "b")), "");
  EXPECT_EQ(found(3, one + add(0, 0, "a", "INT", "4") + add(2, 7, "b")), race);
  EXPECT_EQ(found(3, one + add(0, 0, "a", "BYTE", "4") + add(2, 3, "b", "BYTE", "4")), "");
  EXPECT_EQ(found(3, one + add(0, 0, "a") + add(0, 2, "b")), "");
  // Two of one line that overlap in part stay two.
  EXPECT_EQ(found(3, one + add(0, 0, "c") + add(0, 6, "c") + add(2, 8, "b")),
            "rma/race ranks=0,2 @c\n");
}

// MPI-4.1 12.2.1: accumulate_ops=same_op.
TEST(RmaRace, a_window_of_one_operation) {
  std::string window;
  for (const char* r : {"0 ", "1 ", "2 "}) {
    for (const char* line :
         {"Info_create info=i\n", "Info_set info=i key=\"accumulate_ops\" value=\"same_op\"\n",
          "Win_create base=0x2000 size=64 disp_unit=1 info=i win=v\n", "Win_lock_all win=v\n"})
      window += std::string(r) + line;
  }
  const auto fetch = [](int by, const char* op, const char* place) {
    return std::to_string(by) +
           " Accumulate win=v origin_addr=0x9000 target_rank=1 target_disp=0 " + "op=" + op + " @" +
           place + "\n";
  };
  EXPECT_EQ(found(3, window + fetch(0, "SUM", "a") + fetch(2, "NO_OP", "b")),
            "rma/race ranks=0,2 @a\n");
  EXPECT_EQ(found(3, window + fetch(0, "SUM", "a") + fetch(2, "SUM", "b")), "");
}

TEST(RmaRace, own_memory) {
  const std::string locked = "0 Win_lock_all\n1 Win_lock_all\n";
  const std::string get = "0 Get origin_addr=0x9000 target_rank=1 @b\n";
  const std::string use = "0 Send buf=0x9000 count=1 datatype=INT dest=1 @a\n";
  const std::string change =
      "0 Reduce_local inbuf=0x8000 inoutbuf=0x9000 count=1 datatype=INT @a\n";
  const std::string put = "0 Put origin_addr=0x9000 target_rank=1 @b\n";
  const std::string local = "race/local ranks=0 @a\n";
  EXPECT_EQ(found(2, locked + get + use), local);
  EXPECT_EQ(found(2, locked + use + get), "");
  EXPECT_EQ(found(2, locked + get + "0 Win_flush_local rank=1\n" + use), "");
  EXPECT_EQ(found(2, locked + put + use), "");
  EXPECT_EQ(found(2, locked + put + change), local);
  EXPECT_EQ(found(2, locked + put + "0 Win_flush_local_all\n" + change), "");
  EXPECT_EQ(found(2, locked + put + "0 Win_flush rank=0\n" + change), local);
  EXPECT_EQ(found(2, locked + get + "0 Get origin_addr=0x9000 target_rank=0 @a\n"), local);
  EXPECT_EQ(found(2, locked +
                         "0 Rget origin_addr=0x9000 target_rank=1 -> request=r\n"
                         "0 Wait request=r\n" +
                         use),
            "");
  EXPECT_EQ(found(2, locked + "0 Rget origin_addr=0x9000 target_rank=1 @b -> request=r\n" + use +
                         "0 Wait request=r\n"),
            local);
  // A pending receive.
  EXPECT_EQ(found(2, locked + "0 Irecv buf=0x9000 count=1 datatype=INT source=1 @b -> request=r\n" +
                         "0 Put origin_addr=0x9000 target_rank=1 @a\n1 Send dest=0\n"
                         "0 Wait request=r\n"),
            local);
  EXPECT_EQ(
      found(2, locked +
                   "0 Irecv buf=0x9000 count=1 datatype=INT source=1 -> request=r\n"
                   "1 Send dest=0\n0 Wait request=r\n0 Put origin_addr=0x9000 target_rank=1 @a\n"),
      "");
  // Itself as the target.
  EXPECT_EQ(
      found(2, locked + "0 Put origin_addr=0x9000 target_rank=0 target_disp=0 @b\n"
                        "0 Reduce_local inbuf=0x8000 inoutbuf=0x1000 count=1 datatype=INT @a\n"),
      "rma/race ranks=0 @a\n");
}

TEST(RmaRace, post_start_complete_wait) {
  const std::string groups =
      "0 Comm_group group=c\n0 Group_incl group=c ranks=[1] newgroup=g\n"
      "1 Comm_group group=c\n1 Group_incl group=c ranks=[0] newgroup=g\n";
  const std::string open = groups + "1 Win_post group=g\n0 Win_start group=g\n";
  EXPECT_EQ(found(2, open + kPutAtA + "0 Win_complete\n1 Win_wait\n" + kUse), "");
  EXPECT_EQ(found(2, open + kPutAtA + kUse + "0 Win_complete\n1 Win_wait\n"), kRace);
  EXPECT_EQ(found(2, groups + kUse + "1 Win_post group=g\n0 Win_start group=g\n" + kPutAtA +
                         "0 Win_complete\n1 Win_wait\n"),
            "");
  EXPECT_EQ(found(2, open + kPutAtA + "0 Win_complete\n1 Win_test flag=1\n" + kUse), "");
  EXPECT_EQ(found(2, open + kPutAtA + "0 Win_complete\n1 Win_test flag=0\n" + kUse), kRace);
  // The next exposure.
  EXPECT_EQ(found(2, open + kPutAtA +
                         "0 Win_complete\n1 Win_wait\n1 Win_post group=g\n"
                         "0 Win_start group=g\n0 Put origin_addr=0x9000 target_rank=1 @b\n"
                         "0 Win_complete\n1 Win_wait\n" +
                         kUse),
            "");
  // What happens before the post happens after it for those who fetched.
  EXPECT_EQ(found(2, groups + "1 Reduce_local inbuf=0x8000 inoutbuf=0x1010 count=1 datatype=INT\n"
                              "1 Win_post group=g\n0 Win_start group=g\n"
                              "0 Get origin_addr=0x9000 target_rank=1\n0 Win_complete\n"
                              "0 Win_lock_all\n"
                              "0 Put origin_addr=0x9000 target_rank=1 target_disp=16\n"),
            "");
}

// Order through memory: rank 0 writes data at rank 2, then sets a flag there that rank 1 polls
// [W10].
TEST(RmaRace, flag_by_atomic_updates) {
  const std::string locked = "0 Win_lock_all\n1 Win_lock_all\n2 Win_lock_all\n";
  const std::string put = "0 Put origin_addr=0x9000 target_rank=2 target_disp=0 @a\n";
  const std::string flush = "0 Win_flush rank=2\n";
  const std::string set =
      "0 Accumulate origin_addr=0x9100 origin_datatype=INT target_datatype=INT op=REPLACE "
      "target_rank=2 target_disp=16\n0 Win_flush rank=2\n";
  const std::string poll =
      "1 Fetch_and_op origin_addr=0x9100 result_addr=0x9200 datatype=INT op=NO_OP target_rank=2 "
      "target_disp=16\n1 Win_flush rank=2\n";
  const std::string use = "1 Put origin_addr=0x9000 target_rank=2 target_disp=0 @b\n";
  EXPECT_EQ(found(3, locked + put + flush + set + poll + poll + use), "");
  EXPECT_EQ(found(3, locked + put + set + poll + use), kRace) << "not flushed before the flag";
  EXPECT_EQ(found(3, locked + put + flush + set + use + poll), kRace);
  // The read surely came before.
  EXPECT_EQ(found(3, locked + poll + "1 Send dest=0\n0 Recv source=1\n" + put + flush + set + use),
            kRace);
  // Another location, another type, not atomic.
  EXPECT_EQ(found(3, locked + put + flush + set +
                         "1 Fetch_and_op origin_addr=0x9100 result_addr=0x9200 datatype=INT "
                         "op=NO_OP target_rank=2 target_disp=20\n1 Win_flush rank=2\n" +
                         use),
            kRace);
}

// The flag is put, and its target polls for it by loads that are not seen, or are [W10].
TEST(RmaRace, flag_by_a_put) {
  const std::string locked = "0 Win_lock_all\n1 Win_lock_all\n";
  const std::string set = "0 Put origin_addr=0x9000 target_rank=1 target_disp=16\n";
  const std::string flush = "0 Win_flush rank=1\n";
  EXPECT_EQ(found(2, locked + kPutAtA + flush + set + "1 Win_sync\n" + kUse), "");
  EXPECT_EQ(found(2, locked + kPutAtA + set + flush + "1 Win_sync\n" + kUse), kRace);
  EXPECT_EQ(found(2, locked + kPutAtA + flush + "1 Win_sync\n" + kUse), kRace);
  EXPECT_EQ(found(2, locked + kPutAtA + flush + set + "1 Win_flush rank=1\n" + kUse), kRace);
  EXPECT_EQ(found(2, locked + kPutAtA + flush + set + kUse + "1 Win_sync\n"), kRace);
  // More than can be a flag.
  EXPECT_EQ(found(2, locked + kPutAtA + flush +
                         "0 Put origin_addr=0x9000 origin_count=4 target_count=4 target_rank=1 "
                         "target_disp=16\n1 Win_sync\n" +
                         kUse),
            kRace);
}

// Two sections under an exclusive lock: what completes under it shows that it was granted.
TEST(RmaRace, lock_as_mutex) {
  const auto section = [](int by, bool proves, const char* place) {
    const std::string who = std::to_string(by);
    return who + " Win_lock lock_type=LOCK_EXCLUSIVE rank=0\n" +
           (proves ? who + " Get origin_addr=0x9000 target_rank=0 target_disp=32\n" + who +
                         " Win_flush rank=0\n"
                   : "") +
           who + " Win_lock lock_type=LOCK_SHARED rank=2\n" + who +
           " Put origin_addr=0x9100 target_rank=2 target_disp=0 @" + place + "\n" + who +
           " Win_unlock rank=2\n" + who + " Win_unlock rank=0\n";
  };
  EXPECT_EQ(found(4, section(1, true, "a") + section(3, true, "b")), "");
  EXPECT_EQ(found(4, section(1, false, "a") + section(3, false, "b")), "rma/race ranks=1,3 @a\n");
}

// The target polls its own memory under a lock, and then uses what was written before.
TEST(RmaRace, flag_under_a_lock) {
  const std::string set =
      "0 Win_lock lock_type=LOCK_EXCLUSIVE rank=1\n" + kPutAtA + "0 Win_unlock rank=1\n";
  EXPECT_EQ(found(2, set +
                         "1 Win_lock lock_type=LOCK_SHARED rank=1\n"
                         "1 Get origin_addr=0x9000 target_rank=1 target_disp=32\n"
                         "1 Win_unlock rank=1\n" +
                         kUse),
            "");
  EXPECT_EQ(found(2, set + kUse), kRace);
}

// Parts of a shared window, by the addresses that each process has for them.
TEST(RmaRace, shared_windows) {
  const std::string window =
      "0 Win_allocate_shared size=64 disp_unit=1 -> win=v baseptr=0x10000\n"
      "1 Win_allocate_shared size=0 disp_unit=1 -> win=v baseptr=0x20000\n"
      "1 Win_shared_query win=v rank=0 -> size=64 disp_unit=1 baseptr=0x30000\n";
  const auto use = [](int by, const char* at, const char* place) {
    return std::to_string(by) + " Reduce_local inbuf=0x8000 inoutbuf=" + at +
           " count=1 datatype=INT @" + place + "\n";
  };
  EXPECT_EQ(found(2, window + use(0, "0x10000", "a") + use(1, "0x30000", "b")), kRace);
  EXPECT_EQ(found(2, window + use(0, "0x10000", "a") + use(1, "0x30004", "b")), "");
  EXPECT_EQ(
      found(2, window + use(0, "0x10000", "a") + "0 Barrier\n1 Barrier\n" + use(1, "0x30000", "b")),
      "");
  EXPECT_EQ(
      found(2, window + "0 Win_lock_all win=v\n1 Win_lock_all win=v\n" + use(0, "0x10000", "a") +
                   "0 Win_sync win=v\n1 Win_sync win=v\n" + use(1, "0x30000", "b")),
      "");
  EXPECT_EQ(found(2, window + "0 Win_lock_all win=v\n" +
                         "0 Put win=v origin_addr=0x9000 target_rank=0 target_disp=0 @a\n" +
                         use(1, "0x30000", "b")),
            kRace);
}

// Memory of rank 0 in a shared window, used by two others under locks: of its owner they exclude
// each other, and of whomever they show that what was done under them is over.
TEST(RmaRace, locks_of_shared_memory) {
  const std::string window =
      "0 Win_allocate_shared size=64 disp_unit=1 -> win=v baseptr=0x10000\n"
      "1 Win_allocate_shared size=0 disp_unit=1 -> win=v baseptr=0x20000\n"
      "2 Win_allocate_shared size=0 disp_unit=1 -> win=v baseptr=0x40000\n"
      "1 Win_shared_query win=v rank=0 -> size=64 disp_unit=1 baseptr=0x30000\n"
      "2 Win_shared_query win=v rank=0 -> size=64 disp_unit=1 baseptr=0x50000\n";
  const auto under = [](int by, const char* type, int target, const std::string& what) {
    const std::string who = std::to_string(by), rank = std::to_string(target);
    return who + " Win_lock win=v lock_type=LOCK_" + type + " rank=" + rank + "\n" + what + who +
           " Win_unlock win=v rank=" + rank + "\n";
  };
  const std::string one = "1 Reduce_local inbuf=0x8000 inoutbuf=0x3000c count=1 datatype=INT @a\n";
  const std::string other =
      "2 Reduce_local inbuf=0x8000 inoutbuf=0x5000c count=1 datatype=INT @b\n";
  const std::string put = "2 Put win=v origin_addr=0x9000 target_rank=0 target_disp=12 @b\n";
  const std::string own = "0 Reduce_local inbuf=0x8000 inoutbuf=0x1000c count=1 datatype=INT @b\n";
  const std::string race = "rma/race ranks=1,2 @a\n";
  const auto both = [&](const char* first, int at, const char* second, int there) {
    return found(3, window + under(1, first, at, one) + under(2, second, there, other));
  };
  EXPECT_EQ(both("EXCLUSIVE", 0, "EXCLUSIVE", 0), "");
  EXPECT_EQ(both("EXCLUSIVE", 0, "SHARED", 0), "");
  EXPECT_EQ(both("SHARED", 0, "SHARED", 0), race);
  EXPECT_EQ(both("EXCLUSIVE", 1, "EXCLUSIVE", 2), race);
  EXPECT_EQ(both("EXCLUSIVE", 2, "EXCLUSIVE", 2), "");
  EXPECT_EQ(found(3, window + under(1, "EXCLUSIVE", 0, one) + other), race);
  EXPECT_EQ(found(3, window + under(1, "EXCLUSIVE", 0, one) + under(2, "EXCLUSIVE", 0, put)), "");
  EXPECT_EQ(found(3, window + under(1, "SHARED", 0, one) + under(2, "SHARED", 0, put)), race);
  EXPECT_EQ(found(3, window + under(1, "EXCLUSIVE", 0, one) + under(0, "EXCLUSIVE", 0, own)), "");
  EXPECT_EQ(found(3, window + under(1, "EXCLUSIVE", 0, one) + own), "rma/race ranks=0,1 @b\n");
  // The bytes are those of the window, whoever uses them.
  const std::string bytes = "it writes bytes 12 to 15 of rank 0's window, ";
  const auto says = [&](const std::string& text) {
    return run_messages<Rma, OneSidedRaces>(made(3) + window + text);
  };
  EXPECT_NE(says(one + other).find(bytes), std::string::npos) << says(one + other);
  EXPECT_NE(says(own + one).find(bytes), std::string::npos) << says(own + one);
}

// [W12]
TEST(RmaRace, what_is_not_known_is_named) {
  const std::string doubtful = "0 Win_lock_all\n0 Comm_create_group group=GROUP_EMPTY\n" + kPutAtA;
  EXPECT_EQ(found(2, doubtful), "");  // nobody else is there
  EXPECT_EQ(found(2, doubtful + "1 Win_lock_all\n1 Put origin_addr=0x9000 target_rank=1 "
                                "target_disp=0 @b\n"),
            "not-checked one-sided data races\n");
}

// [W7]
TEST(RmaRace, exact_bytes) {
  const std::string one = "0 Win_lock_all\n1 Win_lock_all\n2 Win_lock_all\n";
  const auto put = [](int by, int disp, const char* place) {
    const std::string who = std::to_string(by);
    return who + " Type_vector count=4 blocklength=1 stride=2 oldtype=INT newtype=t\n" + who +
           " Type_commit datatype=t\n" + who +
           " Put origin_addr=0x9000 origin_count=4 origin_datatype=INT target_rank=1 target_disp=" +
           std::to_string(disp) + " target_count=1 target_datatype=t @" + place + "\n";
  };
  EXPECT_EQ(found(3, one + put(0, 0, "a") + put(2, 4, "b")), "");
  EXPECT_EQ(found(3, one + put(0, 0, "a") + put(2, 8, "b")), "rma/race ranks=0,2 @a\n");
}

// A window over a part of a shared window is a window over its owner's memory.
TEST(RmaRace, shared_memory_in_another_window) {
  const std::string window =
      "0 Win_allocate_shared size=64 disp_unit=1 -> win=v baseptr=0x10000\n"
      "1 Win_allocate_shared size=0 disp_unit=1 -> win=v baseptr=0x20000\n"
      "1 Win_shared_query win=v rank=0 -> size=64 disp_unit=1 baseptr=0x30000\n"
      "0 Win_create base=0x40000 size=0 disp_unit=1 win=u\n"
      "1 Win_create base=0x30010 size=16 disp_unit=1 win=u\n"
      "0 Win_lock_all win=v\n1 Win_lock_all win=u\n";
  const auto put = [](int by, const char* win, int target, int disp, const char* place) {
    return std::to_string(by) + " Put win=" + win +
           " origin_addr=0x9000 target_rank=" + std::to_string(target) +
           " target_disp=" + std::to_string(disp) + " @" + place + "\n";
  };
  EXPECT_EQ(found(2, window + put(0, "v", 0, 16, "a") + put(1, "u", 1, 0, "b")), kRace);
  EXPECT_EQ(found(2, window + put(0, "v", 0, 0, "a") + put(1, "u", 1, 0, "b")), "");
}

TEST(RmaRace, two_windows_over_one_memory) {
  const std::string second =
      "0 Win_create base=0x1000 size=64 disp_unit=1 win=v\n"
      "1 Win_create base=0x1000 size=64 disp_unit=1 win=v\n";
  EXPECT_EQ(found(2, second + "0 Win_lock_all win=w\n0 Win_lock_all win=v\n"
                              "0 Put origin_addr=0x9000 target_rank=1 win=w @b\n"
                              "0 Put origin_addr=0x9000 target_rank=1 win=v @a\n"),
            "rma/race ranks=0 @a\n");
}

}  // namespace
}  // namespace vouch
