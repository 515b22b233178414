// The table of heap blocks against a plain map.

#include "shim/heap/blocks.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>

namespace vouch {
namespace {

const void* pointer(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

TEST(Blocks, random_blocks_against_a_map) {
  Blocks blocks;
  struct Known {
    std::uint64_t bytes, caller;
    bool told;
  };
  std::map<std::uint64_t, Known> naive;
  std::mt19937_64 random(7);
  std::uint64_t hits = 0;
  for (std::uint64_t step = 0; step < 300000; ++step) {
    // Sizes from a few bytes to gigabytes, crowded so that neighbours touch.
    const std::uint64_t level = 4 + random() % 28;
    const std::uint64_t at = 0x10000000u + random() % (std::uint64_t{1} << (level + 6)) / 16 * 16;
    const auto after = naive.upper_bound(at);
    const auto around = after == naive.begin() ? naive.end() : std::prev(after);
    const bool inside = around != naive.end() && at - around->first < around->second.bytes;
    switch (random() % 4) {
      case 0:
      case 1: {
        const std::uint64_t bytes = 1 + random() % (std::uint64_t{1} << level);
        const bool starts_here = around != naive.end() && around->first == at;
        if ((inside && !starts_here) || (after != naive.end() && after->first - at < bytes)) break;
        blocks.add(pointer(at), bytes, pointer(step));
        naive[at] = {bytes, step, false};
        break;
      }
      case 2: {
        HeapBlock found{};
        const HeapAnswer answer = blocks.find(pointer(at), found);
        ASSERT_EQ(answer, !inside               ? HeapAnswer::unknown
                          : around->second.told ? HeapAnswer::again
                                                : HeapAnswer::first);
        if (!inside) break;
        ++hits;
        ASSERT_EQ(found.address, around->first);
        ASSERT_EQ(found.bytes, around->second.bytes);
        ASSERT_EQ(found.caller, pointer(around->second.caller));
        around->second.told = true;
        break;
      }
      default: {
        // Freed by its start; the middle of a block is no start.
        const bool by_start = inside && random() % 2 == 0;
        const std::uint64_t start = by_start ? around->first : at;
        const auto known = naive.find(start);
        HeapBlock found{};
        const HeapAnswer answer = blocks.take(pointer(start), found);
        ASSERT_EQ(answer, known == naive.end() ? HeapAnswer::unknown
                          : known->second.told ? HeapAnswer::again
                                               : HeapAnswer::first);
        if (known == naive.end()) break;
        ASSERT_EQ(found.bytes, known->second.bytes);
        naive.erase(known);
      }
    }
    ASSERT_EQ(blocks.size(), naive.size());
  }
  EXPECT_GT(hits, 1000u);
}

}  // namespace
}  // namespace vouch
