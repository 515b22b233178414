// Random programs against the reference (analysis/rma/testing/reference.h): the same races in
// whatever order the processes are read.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "analysis/rma/race/races.h"
#include "analysis/rma/rma.h"
#include "analysis/rma/testing/compare.h"
#include "analysis/rma/testing/generator.h"

namespace vouch::rma_programs {
namespace {

Analyses detector(World& world, Sink& sink) {
  Analyses analyses;
  analyses.add<Rma>(world, sink);
  analyses.add<OneSidedRaces>(world, sink);
  return analyses;
}

// VOUCH_FIRST_SEED: where to go on; several differences are shown, and then no more.
TEST(OneSidedRacesRandom, same_as_the_reference) {
  const char* const slow = std::getenv("VOUCH_SLOW_TESTS");
  const char* const from = std::getenv("VOUCH_FIRST_SEED");
  const unsigned first = from == nullptr ? 0 : static_cast<unsigned>(std::atoi(from));
  const unsigned programs = slow != nullptr ? 200000 : 100;
  int racing = 0, different = 0;
  for (unsigned seed = first; seed < first + programs && different < 5; ++seed) {
    std::mt19937 random(seed);
    const Shape shape{.ranks = 2 + static_cast<int>(seed % 3),
                      .steps = 10 + static_cast<int>(seed / 3 % 50),
                      .repeated = seed % 5 == 0};
    const Program program = random_program(random, shape);
    racing += !races(program).empty();
    const std::string text = difference(program, detector, random, 2);
    different += !text.empty();
    EXPECT_TRUE(text.empty()) << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(racing, different > 0 ? 0 : static_cast<int>(programs / 3));
}

}  // namespace
}  // namespace vouch::rma_programs
