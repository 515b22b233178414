// POE: a scheduler that has every match in its hand (the engine of ISP).
//
// Processes run until each sits in a call that cannot go on. Then match-sets are fired, first those
// that leave no choice: named receives, waits, collectives. Only when nothing else can happen a
// wildcard is matched, so that its senders are as many as they can be. There every pair of wildcard
// and sender is a branch, on all processes: one wildcard alone would miss senders that another one
// brings about. Pairs of different receives commute; sleep sets leave one order of each, so every
// outcome is complete once. Runs that only repeat are cut.
//
// Complete for deadlocks with sends that are buffered and with sends that wait for their receive.

#pragma once

#include <cstddef>
#include <set>

#include "explore/testing/sim.h"

namespace vouch::explore {

struct PoeResult {
  std::size_t interleavings = 0;  // complete runs
  std::size_t cut = 0;            // runs left where all that could happen was seen elsewhere
  std::size_t deadlocks = 0, failures = 0;
  std::set<SimOutcome> outcomes{};
  std::size_t relevant_barriers = 0, barriers = 0;  // over all runs, by their number
  bool stopped = false;                             // at the limit
};

PoeResult poe(const Simulated&, predict::Buffering, std::size_t most = 100'000);

}  // namespace vouch::explore
