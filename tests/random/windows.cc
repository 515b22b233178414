// Prints random programs with windows as C, for run_random.py: `windows RANKS FIRST LAST` for the
// seeds from FIRST to LAST. Even seeds give a program without a race, odd ones a program with one,
// which stands in a line of its own: "// race: SITE SITE".

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "analysis/rma/testing/emit_c.h"
#include "analysis/rma/testing/generator.h"
#include "analysis/rma/testing/reference.h"
#include "analysis/rma/testing/shrink.h"

using namespace vouch::rma_programs;

namespace {

Program program_of(unsigned seed, int ranks) {
  std::mt19937 random(seed);
  const std::size_t wanted = seed % 2;
  for (;;) {
    const Shape shape{.ranks = ranks, .steps = 20 + static_cast<int>(seed % 40), .runnable = true};
    Program p = with_races(random_program(random, shape), wanted);
    if (races(p).size() == wanted) return p;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "windows RANKS FIRST LAST\n");
    return 1;
  }
  const int ranks = std::atoi(argv[1]);
  for (int seed = std::atoi(argv[2]); seed <= std::atoi(argv[3]); ++seed) {
    const Program p = program_of(static_cast<unsigned>(seed), ranks);
    const std::string name = "seed_" + std::to_string(seed);
    std::fputs(c_of(p, name).c_str(), stdout);
    for (const auto& [a, b] : races(p))
      std::printf("// race: %s.%s %s.%s\n", name.c_str(), a.c_str(), name.c_str(), b.c_str());
  }
  return 0;
}
