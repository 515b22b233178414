// What the tests of exploration share: a whole exploration of a simulated program.

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "explore/prefix.h"
#include "explore/search.h"
#include "explore/testing/sim.h"

namespace vouch::explore {

struct Explored {
  std::size_t runs = 0, repeated = 0, diverged = 0, unforced = 0, deadlocks = 0, failures = 0;
  std::size_t unplaced = 0, bounded = 0, suppressed = 0;
  std::size_t different = 0;  // did something else where they had to do the same
  std::set<SimOutcome> outcomes{};
};

// The first run takes what it finds by `seed`, later ones too where they are free. What is reached
// depends on no order of the search: half of the seeds have one, half the other.
inline Explored explore_all(const Simulated& program, Protocol protocol, std::uint64_t seed = 0,
                            Bounds bounds = {}, std::size_t most = 5000) {
  if (seed % 2 == 1) bounds.order = Bounds::Order::novel;
  Search search(protocol, bounds);
  Explored all;
  while (all.runs < most) {
    const auto job = search.next();
    if (!job) break;
    SimOptions options;
    options.forced = job->forced;
    options.seed = seed == 0 ? 0 : seed * 1000 + all.runs + 1;
    const SimRun run = simulate(program, options);
    ++all.runs;
    all.unforced += run.unforced;
    if (job->from != nullptr)
      all.different += !first_difference(*job->from, job->until, run.seen).empty();
    const Search::Fit fit = search.done(*job, run.seen);
    all.diverged += fit == Search::Fit::diverged;
    all.repeated += fit == Search::Fit::repeated;
    all.deadlocks += run.deadlock;
    all.failures += run.failed;
    all.repeated += !all.outcomes.insert(outcome_of(run)).second;
  }
  all.unplaced = search.unplaced();
  all.bounded = search.bounded();
  all.suppressed = search.suppressed();
  return all;
}

inline bool slow_tests() { return std::getenv("VOUCH_SLOW_TESTS") != nullptr; }

}  // namespace vouch::explore
