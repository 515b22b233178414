// The comparison itself: an analysis that is wrong is noticed, and the program made small.

#include "analysis/rma/testing/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/rma/testing/generator.h"
#include "analysis/rma/testing/shrink.h"

namespace vouch::rma_programs {
namespace {

Analyses finds_nothing(World&, Sink&) { return {}; }

TEST(RmaCompare, notices_what_is_missed) {
  std::mt19937 random(3);
  int missed = 0;
  for (int i = 0; i < 15; ++i) {
    const Program p = random_program(random, {.ranks = 3, .steps = 40});
    const std::string text = difference(p, finds_nothing, random, 1);
    EXPECT_EQ(text.empty(), races(p).empty());
    if (text.empty()) continue;
    ++missed;
    // The records of two operations and what must be around them, twice.
    const std::size_t of = text.find("of\n"), read = text.find("read as\n");
    const std::string small = text.substr(of, read - of);
    EXPECT_LT(std::count(small.begin(), small.end(), '@'), 35) << small;
  }
  EXPECT_GT(missed, 5);
}

TEST(RmaCompare, leaves_so_many_races) {
  std::mt19937 random(4);
  int one = 0;
  for (int i = 0; i < 60; ++i) {
    const Program p = random_program(random, {.ranks = 2, .steps = 40, .runnable = true});
    EXPECT_TRUE(races(with_races(p, 0)).empty());
    const std::size_t left = races(with_races(p, 1)).size();
    EXPECT_LE(left, 1);
    one += left == 1;
  }
  EXPECT_GT(one, 10);
}

}  // namespace
}  // namespace vouch::rma_programs
