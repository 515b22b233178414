// Bounds of memory, its end, and data that changes; and random programs of blocks, operations and
// frees against a byte map.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/buffer/buffer.h"
#include "analysis/testing/cases.h"
#include "event/text.h"

namespace vouch {
namespace {

constexpr const char* kBounds = "buffer/bounds ranks=0 @a.c:9";
constexpr const char* kFreed = "buffer/freed ranks=0 @a.c:9";
constexpr const char* kOutputs = "buffer/call-overlap ranks=0 @a.c:9";

// [U68]
TEST(Memory, calls_that_leave_their_block) {
  expect_findings<BufferUse>({
      {"0 block 0x1000 36 @a.c:1\n0 Send buf=0x1000 count=10 datatype=INT @a.c:9\n", kBounds},
      {"0 block 0x1000 36\n0 Send buf=0x1020 count=2 datatype=INT @a.c:9\n", kBounds},
      {"0 block 0x1000 36\n0 Bcast buffer=0x1000 count=10 datatype=INT root=1 @a.c:9\n", kBounds},
      {"0 block 0x1000 36\n0 Isend buf=0x1000 count=10 datatype=INT @a.c:9 -> request=r\n",
       kBounds},
      {"0 block 0x1000 8\n0 Gather recvbuf=0x1000 recvcount=2 recvtype=INT sendbuf=0x2000 "
       "sendcount=2 sendtype=INT root=0 @a.c:9\n",
       kBounds},
      {"0 block 0x1000 16\n0 Gatherv sendbuf=0x2000 sendcount=1 sendtype=INT recvbuf=0x1000 "
       "recvcounts=[1,1] displs=[0,9] recvtype=INT root=0 @a.c:9\n",
       kBounds},
      {"0 Type_create_resized oldtype=INT lb=0 extent=8 newtype=t\n0 Type_commit datatype=t\n"
       "0 block 0x1000 16\n0 Send buf=0x1000 count=3 datatype=t @a.c:9\n",
       kBounds},
      {"0 Type_create_hindexed array_of_blocklengths=[1] array_of_displacements=[-4] oldtype=INT "
       "newtype=t\n0 Type_commit datatype=t\n0 block 0x1000 16\n"
       "0 Type_create_hindexed array_of_blocklengths=[1,1] array_of_displacements=[-4,0] "
       "oldtype=INT newtype=u\n0 Type_commit datatype=u\n"
       "0 Send buf=0x1000 count=1 datatype=u @a.c:9\n",
       kBounds},
      {"0 Alloc_mem size=16 -> baseptr=0x1000\n0 Send buf=0x1000 count=5 datatype=INT @a.c:9\n",
       kBounds},
      {"0 block 0x1000 32\n0 Win_create base=0x1000 size=64 @a.c:9 -> win=w\n", kBounds},
      {"0 block 0x1000 32\n0 Win_attach base=0x1010 size=17 @a.c:9\n", kBounds},
      {"0 block 0x1000 32\n0 Buffer_attach buffer=0x1000 size=33 @a.c:9\n", kBounds},
  });
  expect_silence<BufferUse>({
      "0 block 0x1000 36\n0 Send buf=0x1000 count=9 datatype=INT\n",
      "0 block 0x1000 64\n0 Win_create base=0x1000 size=64 -> win=w\n",
      "0 block 0x1000 64\n0 Win_attach base=0x1020 size=32\n0 Buffer_attach buffer=0x1000 "
      "size=64\n",
      "0 Win_create base=0x1000 size=64 -> win=w\n",
      "0 block 0x1000 36\n0 Send buf=0x1020 count=1 datatype=INT\n",
      "0 block 0x1000 36\n0 Send buf=0x1000 count=0 datatype=INT\n",
      "0 block 0x1000 36\n0 Send buf=0x1000 count=10 datatype=INT dest=PROC_NULL\n",
      "0 block 0x1000 36\n0 Send buf=0x1024 count=10 datatype=INT\n",  // unknown memory
      "0 block 0x1000 36\n0 freed 0x1000 36\n0 Send buf=0x1000 count=10 datatype=INT\n",
      "0 block 0x1000 36 1\n0 Send buf=0x1000 count=10 datatype=INT\n",  // a compiler's copy
      "0 block 0x1000 36\n0 block 0x1000 40\n0 Send buf=0x1000 count=10 datatype=INT\n",  // grew
      "0 block 0x1000 36\n0 Gather recvbuf=0x1000 recvcount=9 recvtype=INT sendbuf=0x2000 "
      "sendcount=9 sendtype=INT root=1\n",  // not significant here
      // A vector of three ends with its third element, not with its extent.
      "0 Type_create_resized oldtype=INT lb=0 extent=8 newtype=t\n0 Type_commit datatype=t\n"
      "0 block 0x1000 20\n0 Send buf=0x1000 count=3 datatype=t\n",
      // Counting from a start whose block is another one.
      "0 block 0x1000 16\n0 Gatherv sendbuf=0x2000 sendcount=1 sendtype=INT recvbuf=0x1000 "
      "recvcounts=[1,1] displs=[8,9] recvtype=INT root=0\n",
  });
}

// [U68]
TEST(Memory, room_beyond_that_no_message_fills_is_a_warning) {
  const std::string room =
      "0 block 0x1000 36\n0 Recv buf=0x1000 count=10 datatype=INT source=1 "
      "tag=7 @a.c:9\n";
  const auto sent = [](int count) {
    return fmt::format("1 Send buf=0x1000 count={} datatype=INT dest=0 tag=7\n", count);
  };
  const std::string warning = std::string(kBounds) + " (warning)\n";
  EXPECT_EQ(run<BufferUse>(room + sent(9)), warning);
  EXPECT_EQ(run<BufferUse>(room + sent(0)), warning);
  EXPECT_EQ(run<BufferUse>(room + sent(10)), std::string(kBounds) + "\n");
  EXPECT_EQ(run<BufferUse>(room), warning);  // nobody sent
  EXPECT_EQ(run<BufferUse>("0 block 0x1000 36\n0 Irecv buf=0x1000 count=10 datatype=INT source=1 "
                           "tag=7 @a.c:9 -> request=r\n" +
                           sent(10) + "0 Wait request=r -> status=(1,7,40)\n"),
            std::string(kBounds) + "\n");
}

TEST(Memory, freed_while_in_use) {
  expect_findings<BufferUse>({
      {"0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 freed 0x1000 36 @a.c:9\n", kFreed},
      {"0 Irecv buf=0x1008 count=4 datatype=INT -> request=r\n0 freed 0x1000 36 @a.c:9\n", kFreed},
      {"0 Buffer_attach buffer=0x1000 size=64\n0 freed 0x1000 64 @a.c:9\n", kFreed},
      {"0 Win_create base=0x1000 size=64 -> win=w\n0 freed 0x1000 64 @a.c:9\n", kFreed},
      {"0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 Request_free request=r\n"
       "0 freed 0x1000 36 @a.c:9\n",
       kFreed},
      {"0 Send_init buf=0x1000 count=4 datatype=INT -> request=r\n0 freed 0x1000 36 @a.c:2\n"
       "0 Start request=r @a.c:9\n",
       kFreed},
      {"0 Alloc_mem size=16 -> baseptr=0x1000\n"
       "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n0 Free_mem base=0x1000 @a.c:9\n",
       kFreed},
      {"0 Isend buf=0x1000 count=4 datatype=INT @a.c:9 -> request=r\n0 block 0x1000 36 1 @a.c:1\n"
       "0 freed 0x1000 36 @a.c:2\n",
       kFreed},  // the compiler's copy: the call is to blame
  });
  expect_silence<BufferUse>({
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 Wait request=r\n0 freed 0x1000 36\n",
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 freed 0x1010 36\n",
      "0 Send_init buf=0x1000 count=4 datatype=INT -> request=r\n0 freed 0x1000 36\n"
      "0 Request_free request=r\n",
      // Freed, and the same address is somebody's again.
      "0 Send_init buf=0x1000 count=4 datatype=INT -> request=r\n0 freed 0x1000 36\n"
      "0 block 0x1000 16\n0 Start request=r\n",
      "0 Win_create base=0x1000 size=64 -> win=w\n0 Win_free win=w\n0 freed 0x1000 64\n",
      "0 Buffer_attach buffer=0x1000 size=64\n0 Buffer_detach\n0 freed 0x1000 64\n",
      // An answer, or a collective, may be the proof of delivery.
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 Request_free request=r\n"
      "0 Recv source=1\n0 freed 0x1000 36\n",
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 Request_free request=r\n"
      "0 Barrier\n0 freed 0x1000 36\n",
      "0 Bsend_init buf=0x1000 count=4 datatype=INT -> request=r\n0 freed 0x1000 36\n",
      "0 Alloc_mem size=16 -> baseptr=0x1000\n0 Free_mem base=0x1000\n",
  });
}

// MPI-4.1 12.3: the origin of a one-sided operation.
TEST(Memory, freed_while_data_are_moved) {
  const std::string window =
      "0 Win_create base=0x9000 size=64 win=w\n1 Win_create base=0x9000 size=64 win=w\n"
      "0 Win_lock_all\n0 block 0x1000 36\n";
  const std::string freed = "0 freed 0x1000 36 @a.c:9\n";
  const std::string put = "0 Put origin_addr=0x1000 target_rank=1\n";
  const std::string told = std::string(kFreed) + "\n";
  EXPECT_EQ(run<BufferUse>(window + put + freed), told);
  EXPECT_EQ(run<BufferUse>(window + put + "0 Win_flush rank=0\n" + freed), told);
  EXPECT_EQ(run<BufferUse>(window + put + "0 Win_flush_local rank=1\n" + freed), "");
  EXPECT_EQ(run<BufferUse>(window + put + "0 Win_unlock_all\n" + freed), "");
  EXPECT_EQ(run<BufferUse>(window + "0 Put origin_addr=0x1000 target_rank=PROC_NULL\n" + freed),
            "");
}

TEST(Memory, changed_while_sent) {
  expect_findings<BufferUse>({
      {"0 Isend buf=0x1000 count=4 datatype=INT @a.c:9 -> request=r\n0 modified @a.c:9\n",
       "buffer/modified ranks=0 @a.c:9"},
  });
  // What a receive into it wrote has been told.
  EXPECT_EQ(run<BufferUse>("0 Isend buf=0x1000 count=4 datatype=INT @a.c:2 -> request=r\n"
                           "0 Recv buf=0x1000 count=1 datatype=INT @a.c:3\n0 modified @a.c:2\n"),
            "buffer/pending-overlap ranks=0 @a.c:3\n");
}

TEST(Memory, two_results_in_one_variable) {
  expect_findings<BufferUse>({
      {"0 Cart_shift comm=COMM_WORLD direction=0 disp=1 rank_source=0&0x1000 rank_dest=1&0x1000 "
       "@a.c:9\n",
       kOutputs},
      {"0 Type_get_extent datatype=INT lb=0&0x1000 extent=4&0x1000 @a.c:9\n", kOutputs},
  });
  expect_silence<BufferUse>({
      "0 Cart_shift comm=COMM_WORLD direction=0 disp=1 rank_source=0&0x1000 rank_dest=1&0x1004\n",
  });
}

TEST(Memory, arrays_of_pending_collectives) {
  const std::string gather =
      "0 Iallgatherv sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x2000 "
      "recvcounts=[1,1]&0x3000 displs=[0,1]&0x4000 recvtype=INT -> request=r\n";
  const std::string found = "buffer/pending-overlap ranks=0 @a.c:9\n";
  EXPECT_EQ(run<BufferUse>(gather + "0 Recv buf=0x3004 count=1 datatype=INT @a.c:9\n"), found);
  EXPECT_EQ(run<BufferUse>(gather + "0 Recv buf=0x4000 count=1 datatype=INT @a.c:9\n"), found);
  EXPECT_EQ(run<BufferUse>(gather + "0 Send buf=0x3000 count=2 datatype=INT\n"), "");
  EXPECT_EQ(run<BufferUse>(gather + "0 Recv buf=0x3008 count=1 datatype=INT\n"), "");
  EXPECT_EQ(run<BufferUse>(gather + "0 Wait request=r\n0 Recv buf=0x3000 count=1 datatype=INT\n"),
            "");
  EXPECT_EQ(run<BufferUse>("0 Irecv buf=0x3000 count=1 datatype=INT -> request=q\n"
                           "0 Allgatherv sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x2000 "
                           "recvcounts=[1,1]&0x3000 displs=[0,1]&0x4000 recvtype=INT @a.c:9\n"),
            found);
}

TEST(Memory, buffered_sends_together) {
  const std::int64_t overhead = text_value(Constant::bsend_overhead);
  const std::string attach =
      fmt::format("0 Buffer_attach buffer=0x9000 size={}\n", 2 * (16 + overhead));
  const std::string send = "0 Bsend buf=0x1000 count=4 datatype=INT @a.c:9\n";
  const std::string found = "buffer/bsend ranks=0 @a.c:9 (warning)\n";
  EXPECT_EQ(run<BufferUse>(attach + send + send), "");  // an exact fit
  EXPECT_EQ(run<BufferUse>(attach + send + send + send), found);
  EXPECT_EQ(run<BufferUse>(attach + send + send + send + send + send), found);
  EXPECT_EQ(run<BufferUse>(attach + send + send + "0 Barrier\n" + send), "");
  EXPECT_EQ(run<BufferUse>(attach + send + send + "0 Recv source=1\n" + send), "");
  EXPECT_EQ(run<BufferUse>(attach + send + send + "0 Buffer_detach\n" + attach + send), "");
}

// Random programs: blocks that come and go, operations on parts of them and beyond.
TEST(Memory, random_programs_against_a_byte_map) {
  std::mt19937 random(2711);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  int bounds = 0, freed = 0;
  for (int round = 0; round < 800; ++round) {
    std::map<int, int> blocks;    // start -> bytes
    std::vector<int> users(400);  // pending operations that use the byte
    struct Pending {
      int lo, hi, name;
    };
    std::vector<Pending> pending;
    std::string text, expected;
    int names = 0;
    // One finding ends a program: what follows from it is another matter.
    for (int step = 0; step < 12 && expected.empty(); ++step) {
      const int what = pick(0, 4);
      if (what == 0) {
        const int lo = pick(0, 40) * 8, bytes = pick(1, 60);
        bool apart = lo + bytes <= 400;
        for (const auto& [start, length] : blocks)
          apart = apart && (lo + bytes <= start || start + length <= lo);
        if (!apart) continue;
        blocks[lo] = bytes;
        text += fmt::format("0 block {} {}\n", 0x1000 + lo, bytes);
      } else if (what == 1 && !blocks.empty()) {
        auto at = blocks.begin();
        std::advance(at, pick(0, static_cast<int>(blocks.size()) - 1));
        bool used = false;
        for (int b = at->first; b < at->first + at->second; ++b)
          used = used || users[static_cast<std::size_t>(b)] > 0;
        text += fmt::format("0 freed {} {} @a.c:9\n", 0x1000 + at->first, at->second);
        blocks.erase(at);
        if (used) expected = std::string(kFreed) + "\n", ++freed;
      } else if (what == 2 && !pending.empty()) {
        const auto i = static_cast<std::size_t>(pick(0, static_cast<int>(pending.size()) - 1));
        for (int b = pending[i].lo; b < pending[i].hi; ++b) --users[static_cast<std::size_t>(b)];
        text += fmt::format("0 Wait request=r{}\n", pending[i].name);
        pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        const int lo = pick(0, 360), bytes = pick(1, 40);
        bool outside = false;
        for (const auto& [start, length] : blocks) {
          if (lo < start || lo >= start + length) continue;
          outside = lo + bytes > start + length;
        }
        text += fmt::format("0 Isend buf={} count={} datatype=BYTE @a.c:9 -> request=r{}\n",
                            0x1000 + lo, bytes, names);
        if (outside) expected = std::string(kBounds) + "\n", ++bounds;
        for (int b = lo; b < lo + bytes; ++b) ++users[static_cast<std::size_t>(b)];
        pending.push_back({lo, lo + bytes, names++});
      }
    }
    ASSERT_EQ(run<BufferUse>(text), expected) << text;
  }
  EXPECT_GT(bounds, 100);
  EXPECT_GT(freed, 100);
}

}  // namespace
}  // namespace vouch
