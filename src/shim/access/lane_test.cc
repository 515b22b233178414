#include "shim/access/lane.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "shim/program/access.h"

namespace vouch::program {
// The program's part, as the test wants it: all memory is watched.
extern "C" {
AccessModule vouch_access_module{};
__thread AccessRun* vouch_access_runs;
}
}  // namespace vouch::program

namespace vouch::shim {
namespace {

using wire::AccessKind;
using Bytes = std::map<std::pair<std::uint64_t, AccessKind>, std::set<std::uint64_t>>;

struct Collected {
  std::vector<PlacedPattern> patterns;

  static void spill(void* context, const PlacedPattern* patterns, std::uint32_t count) {
    auto& all = static_cast<Collected*>(context)->patterns;
    all.insert(all.end(), patterns, patterns + count);
  }
  Bytes bytes() const {
    Bytes bytes;
    for (const PlacedPattern& p : patterns) {
      const AccessPattern& a = p.pattern;
      for (std::uint64_t row = 0; row < a.rows; ++row)
        for (std::uint64_t i = 0; i < a.count; ++i)
          for (std::uint64_t b = 0; b < a.bytes; ++b)
            bytes[{p.place, a.kind}].insert(a.address + row * a.stride + i * a.step + b);
    }
    return bytes;
  }
};

// A thread of a program: the path of program/access.h, with `hit` as the back end has it.
class Lane : public ::testing::Test {
 protected:
  Lane() : lane_(static_cast<AccessLane*>(std::calloc(1, sizeof(AccessLane)))) {
    lane_->begin(nullptr, &runs_, this);
  }
  ~Lane() override { std::free(lane_); }

  void access(std::uint64_t address, std::uint64_t bytes, AccessKind kind, std::uint64_t place) {
    for (std::uint64_t b = 0; b < bytes; ++b) expected_[{place, kind}].insert(address + b);
    AccessRun& run = runs_[run_of(place)];
    if (run.place == place && run.next == address) {
      run.next = address + run.step;
      return;
    }
    lane_->touch(address, bytes, kind, place, Collected::spill, &collected_);
  }
  void sweep(std::uint64_t base, std::uint64_t rows, std::uint64_t stride, std::uint64_t count,
             std::uint64_t step) {
    for (std::uint64_t r = 0; r < rows; ++r)
      for (std::uint64_t i = 0; i < count; ++i)
        access(base + r * stride + i * step, 8, AccessKind::read, 0x4010);
  }
  // What the compiler's plugin says before a loop.
  void loop(const AccessPattern& a, std::uint64_t place) {
    for (std::uint64_t r = 0; r < a.rows; ++r)
      for (std::uint64_t i = 0; i < a.count; ++i)
        for (std::uint64_t b = 0; b < a.bytes; ++b)
          expected_[{place, a.kind}].insert(a.address + r * a.stride + i * a.step + b);
    lane_->loop(a, place, Collected::spill, &collected_);
  }
  void drain(bool own = true) { lane_->drain(own, Collected::spill, &collected_); }
  std::size_t patterns() const { return collected_.patterns.size(); }

  AccessRun* runs_ = nullptr;
  AccessLane* lane_;
  Collected collected_;
  Bytes expected_;
};

TEST_F(Lane, a_loop_is_one_pattern) {
  sweep(0x1000, 1, 0, 1000, 8);
  drain();
  ASSERT_EQ(patterns(), 1u);
  EXPECT_EQ(collected_.patterns[0].pattern,
            (AccessPattern{.address = 0x1000, .bytes = 8000, .step = 0, .count = 1}));
}

TEST_F(Lane, a_field_of_a_structure_is_one_pattern) {
  sweep(0x1000, 1, 0, 1000, 64);
  drain();
  ASSERT_EQ(patterns(), 1u);
  EXPECT_EQ(collected_.patterns[0].pattern,
            (AccessPattern{.address = 0x1000, .bytes = 8, .step = 64, .count = 1000}));
}

TEST_F(Lane, the_inner_part_of_a_grid_is_one_pattern_however_often) {
  for (int times = 0; times < 5; ++times) sweep(0x1008, 40, 800, 98, 8);
  drain();
  ASSERT_EQ(patterns(), 1u);
  const AccessPattern expected{.address = 0x1008, .bytes = 784, .step = 800, .count = 40};
  EXPECT_EQ(collected_.patterns[0].pattern, expected);
}

TEST_F(Lane, a_loop_that_counts_down) {
  for (std::uint64_t i = 100; i-- > 0;) access(0x1000 + 4 * i, 4, AccessKind::write, 0x4010);
  drain();
  ASSERT_EQ(patterns(), 1u);
  EXPECT_EQ(collected_.patterns[0].pattern.address, 0x1000u);
  EXPECT_EQ(collected_.patterns[0].pattern.bytes, 400u);
}

TEST_F(Lane, one_place_again_and_again) {
  for (int i = 0; i < 1000; ++i) access(0x1000, 8, AccessKind::write, 0x4010);
  drain();
  EXPECT_EQ(patterns(), 1u);
}

TEST_F(Lane, sums_of_rows_stay_few) {  // c[i] += a[i][k], for all k
  for (std::uint64_t i = 0; i < 100; ++i)
    for (int k = 0; k < 50; ++k) access(0x1000 + 8 * i, 8, AccessKind::read, 0x4010);
  drain();
  EXPECT_LE(patterns(), 3u);
  EXPECT_EQ(collected_.bytes(), expected_);
}

TEST_F(Lane, rows_that_are_told_at_once_are_one_pattern) {
  for (int times = 0; times < 3; ++times)
    for (std::uint64_t r = 0; r < 40; ++r)
      loop({.address = 0x1008 + 800 * r, .bytes = 8, .step = 8, .count = 98}, 0x4010);
  loop({.address = 0x1008, .bytes = 8, .step = 8, .count = 98, .stride = 800, .rows = 40}, 0x4020);
  drain();
  ASSERT_EQ(patterns(), 2u);
  EXPECT_EQ(collected_.patterns[0].pattern, collected_.patterns[1].pattern);
  EXPECT_EQ(collected_.bytes(), expected_);
}

TEST_F(Lane, places_that_differ_in_the_same_bits_as_their_addresses) {
  for (std::uint64_t bits = 0; bits < 4096; bits += 8)
    access(0x10000 ^ bits, 8, AccessKind::read, 0x4000 ^ bits);
  drain();
  EXPECT_EQ(collected_.bytes(), expected_);
}

TEST_F(Lane, the_next_phase_begins_anew) {
  sweep(0x1000, 1, 0, 10, 8);
  drain();
  sweep(0x1000, 1, 0, 10, 8);
  drain();
  EXPECT_EQ(patterns(), 2u);
  EXPECT_TRUE(lane_->idle());
}

TEST_F(Lane, another_thread_drains_what_the_owner_goes_on_with) {
  sweep(0x1000, 1, 0, 10, 8);
  AccessRun* const mine = runs_;
  drain(false);
  EXPECT_NE(runs_, mine);
  EXPECT_EQ(patterns(), 1u);
  // The owner was amid an access when its table was taken.
  AccessRun& run = mine[run_of(0x4010)];
  ASSERT_EQ(run.place, 0x4010u);
  ASSERT_EQ(run.next, 0x1050u);
  run.next += run.step;
  drain(false);
  ASSERT_EQ(patterns(), 2u);
  EXPECT_EQ(collected_.patterns[1].pattern.address, 0x1050u);
  EXPECT_EQ(collected_.patterns[1].pattern.bytes, 8u);
  drain(false);
  EXPECT_EQ(patterns(), 2u);
}

// Loops of random shapes, with places that share an entry, drained by owner and others.
TEST_F(Lane, random_programs_lose_nothing_and_add_nothing) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 400; ++round) {
    expected_.clear();
    collected_.patterns.clear();
    for (int loop = 0; loop < 20; ++loop) {
      const std::uint64_t place = 0x4000 + 8 * below(4) + 8 * kAccessRuns * below(3);
      const auto kind = place % 16 == 0 ? AccessKind::read : AccessKind::write;
      const std::uint64_t bytes = std::uint64_t{1} << (place >> 3) % 4;
      std::uint64_t at = 0x100000 + 4 * below(400);
      const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(below(9)) - 4) * bytes;
      const unsigned rows = 1 + below(5), count = 1 + below(6), odd = below(4);
      const std::uint64_t stride = 4 * below(60);
      if (below(4) == 0) {
        const bool flat = below(2) == 0;
        this->loop({.kind = kind,
                    .address = at,
                    .bytes = bytes,
                    .step = step,
                    .count = count,
                    .stride = flat ? 0 : stride,
                    .rows = flat ? 1 : rows},
                   place);
        continue;
      }
      for (unsigned r = 0; r < rows; ++r, at += stride)
        for (unsigned i = 0; i < count; ++i)
          access(at + i * step + (odd == 0 ? below(50) : 0), bytes, kind, place);
    }
    drain(round % 2 == 0);
    EXPECT_EQ(collected_.bytes(), expected_) << "round " << round;
  }
}

TEST(AccessPattern, words_and_back) {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    AccessPattern a{.site = static_cast<std::uint32_t>(random() % 100),
                    .kind = static_cast<AccessKind>(random() % wire::kAccessKinds),
                    .address = random(),
                    .bytes = 1 + random() % 16,
                    .step = random() % 64,
                    .count = 1 + random() % 3,
                    .stride = random() % 512,
                    .rows = 1 + random() % 3};
    a = normal(a);
    std::uint64_t words[kMostAccessWords];
    const std::uint32_t count = pack(a, words);
    AccessPattern b;
    ASSERT_TRUE(unpack(words, count, b));
    EXPECT_EQ(a, b);
    EXPECT_FALSE(unpack(words, count - 1, b));
  }
  std::uint64_t words[kMostAccessWords] = {0, ~std::uint64_t{0} - 3, 8};
  AccessPattern a;
  EXPECT_FALSE(unpack(words, 3, a));  // beyond the end of memory
  words[1] = 0x1000;
  words[0] = std::uint64_t{9} << 32;
  EXPECT_FALSE(unpack(words, 3, a));
}

}  // namespace
}  // namespace vouch::shim
