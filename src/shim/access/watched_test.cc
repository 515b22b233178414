#include "shim/access/watched.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace vouch::shim {
namespace {

bool sees(WatchedMemory& memory, std::uint64_t address, std::uint64_t bytes = 1) {
  std::uint64_t low, span;
  if (address + bytes <= memory.low() || address >= memory.low() + memory.span()) return false;
  return memory.meets(address, bytes, low, span);
}

TEST(WatchedMemory, nothing_is_watched) {
  WatchedMemory memory;
  EXPECT_EQ(memory.span(), 0u);
}

TEST(WatchedMemory, a_window_from_its_creation_to_its_end) {
  WatchedMemory memory;
  memory.expose(1, 100, 200);
  memory.expose(2, 300, 400);
  EXPECT_TRUE(sees(memory, 199));
  EXPECT_FALSE(sees(memory, 200));
  EXPECT_TRUE(sees(memory, 199, 4));
  EXPECT_TRUE(sees(memory, 96, 8));
  memory.free_window(1);
  EXPECT_FALSE(sees(memory, 199));
  memory.free_window(2);
  EXPECT_EQ(memory.span(), 0u);
}

TEST(WatchedMemory, requests_and_persistent_ones) {
  WatchedMemory memory;
  memory.hold(7, 0x10, 100, 200, false);
  memory.hold(8, 0x18, 300, 400, true);
  EXPECT_TRUE(sees(memory, 150));
  EXPECT_FALSE(sees(memory, 350));
  memory.start(8);
  EXPECT_TRUE(sees(memory, 350));
  memory.complete(7, 0x99);  // the program has moved the handle
  EXPECT_FALSE(sees(memory, 150));
  memory.complete(8, 0x18);
  EXPECT_FALSE(sees(memory, 350));
  memory.start(8);
  EXPECT_TRUE(sees(memory, 350));
  memory.forget(8);
  EXPECT_EQ(memory.span(), 0u);
}

TEST(WatchedMemory, one_handle_for_several_requests) {
  WatchedMemory memory;
  memory.hold(7, 0x10, 100, 200, false);
  memory.hold(7, 0x18, 300, 400, false);
  memory.complete(7, 0x18);
  EXPECT_TRUE(sees(memory, 150));
  EXPECT_FALSE(sees(memory, 350));
  memory.complete(7, 0x10);
  EXPECT_FALSE(sees(memory, 150));
}

TEST(WatchedMemory, origins_until_their_target_or_all_are_flushed) {
  WatchedMemory memory;
  memory.use(1, 0, 100, 200);
  memory.use(1, 3, 300, 400);
  memory.complete_uses(1, 0);
  EXPECT_FALSE(sees(memory, 150));
  EXPECT_TRUE(sees(memory, 350));
  memory.complete_uses(1, WatchedMemory::kAllTargets);
  EXPECT_FALSE(sees(memory, 350));
}

TEST(WatchedMemory, random_steps_against_sets_of_bytes) {
  std::mt19937 random(11);
  WatchedMemory memory;
  struct Held {
    std::uint64_t handle, low, high;
  };
  std::vector<Held> held;
  std::uint64_t next = 1;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0 || held.empty()) {
      const std::uint64_t low = 100 + random() % 1000, high = low + 1 + random() % 50;
      held.push_back({next, low, high});
      memory.hold(next, next * 8, low, high, false);
      ++next;
    } else {
      const std::size_t i = random() % held.size();
      memory.complete(held[i].handle, held[i].handle * 8);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const std::uint64_t address = random() % 1300, bytes = 1 + random() % 16;
    bool expected = false;
    for (const Held& h : held) expected |= address < h.high && address + bytes > h.low;
    ASSERT_EQ(sees(memory, address, bytes), expected) << step;
    std::uint64_t low, span;
    if (expected || memory.meets(address, bytes, low, span)) continue;
    for (const Held& h : held) {  // nothing of 16 bytes that begins in the room meets it
      ASSERT_TRUE(span == 0 || h.high <= low || h.low >= low + span + 15) << step;
    }
  }
}

}  // namespace
}  // namespace vouch::shim
