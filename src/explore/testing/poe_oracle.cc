#include "explore/testing/poe_oracle.h"

#include <algorithm>
#include <map>
#include <vector>

#include "explore/clocks.h"

namespace vouch::explore {
namespace {

using Pair = Stepper::Choice;  // a wildcard and a sender

// A probe looks at what another receive of its process may take away.
bool independent(const Pair& a, const Pair& b) {
  if (a.rank != b.rank) return true;
  return a.receive != b.receive && !a.probe && !b.probe;
}

// Fires what leaves no choice; what is left are wildcards.
std::vector<Pair> settle(Stepper& world) {
  for (;;) {
    const std::vector<Pair> all = world.choices();
    const auto ordinary =
        std::find_if(all.begin(), all.end(), [](const Pair& c) { return !c.wildcard; });
    if (ordinary == all.end()) return all;
    world.take(*ordinary);
  }
}

struct Open {
  std::vector<Pair> taken;
  std::vector<Pair> asleep;
};

}  // namespace

PoeResult poe(const Simulated& program, predict::Buffering buffering, std::size_t most) {
  PoeResult result;
  std::map<std::uint32_t, bool> relevant;
  std::vector<Open> open{{}};
  while (!open.empty()) {
    if (result.interleavings + result.cut >= most) {
      result.stopped = true;
      break;
    }
    const Open now = std::move(open.back());
    open.pop_back();
    Stepper world(program, buffering);
    std::vector<Pair> enabled = settle(world);
    for (const Pair& c : now.taken) {
      world.take(c);
      enabled = settle(world);
    }
    if (enabled.empty()) {
      const SimRun run = world.result();
      ++result.interleavings;
      result.deadlocks += run.deadlock;
      result.failures += run.failed;
      result.outcomes.insert(outcome_of(run));
      const auto irrelevant = irrelevant_barriers(run.seen);
      for (std::uint32_t g = 0; g < run.seen.program.groups.size(); ++g)
        if (run.seen.program.groups[g].kind == predict::SyncKind::all)
          relevant[g] |= std::find(irrelevant.begin(), irrelevant.end(), g) == irrelevant.end();
      continue;
    }
    std::vector<Pair> asleep = now.asleep;
    std::vector<Open> next;
    for (const Pair& c : enabled) {
      if (std::find(asleep.begin(), asleep.end(), c) != asleep.end()) continue;
      Open more{now.taken, {}};
      more.taken.push_back(c);
      for (const Pair& z : asleep)
        if (independent(z, c)) more.asleep.push_back(z);
      next.push_back(std::move(more));
      asleep.push_back(c);
    }
    result.cut += next.empty();
    for (auto it = next.rbegin(); it != next.rend(); ++it) open.push_back(std::move(*it));
  }
  result.barriers = relevant.size();
  result.relevant_barriers = static_cast<std::size_t>(
      std::count_if(relevant.begin(), relevant.end(), [](const auto& b) { return b.second; }));
  return result;
}

}  // namespace vouch::explore
