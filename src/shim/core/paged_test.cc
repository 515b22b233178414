#include "shim/core/paged.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace vouch::shim {
namespace {

struct Odd {  // pages hold no whole number of them
  std::uint64_t a;
  std::uint32_t b, c, d;
};

TEST(Paged, random_steps_against_a_vector) {
  Paged<Odd> paged;
  std::vector<Odd> naive;
  std::mt19937 random(3);
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const unsigned what = random() % 1000;
    if (what == 0) {
      paged.clear();
      naive.clear();
    } else if (what < 300 && !naive.empty()) {
      const std::uint64_t i = random() % naive.size();
      paged.erase(i);
      naive.erase(naive.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      const Odd value{step, step + 1, step + 2, step + 3};
      ASSERT_TRUE(paged.push(value));
      naive.push_back(value);
    }
    ASSERT_EQ(paged.size(), naive.size());
    if (naive.empty()) continue;
    const std::uint64_t i = random() % naive.size();
    ASSERT_EQ(paged[i].a, naive[i].a);
    ASSERT_EQ(paged[i].d, naive[i].d);
  }
  std::uint64_t i = 0;
  for (const Odd& one : paged) ASSERT_EQ(one.a, naive[i++].a);
  EXPECT_EQ(i, naive.size());
}

}  // namespace
}  // namespace vouch::shim
