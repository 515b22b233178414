// What can be said about deadlock without a solver.
//
// Stages, each cheaper than the next: the counting machine stops (every execution deadlocks); one
// run ends in a deadlock; no receive has a choice (that run is the only one); no receive can starve
// (proved by counting, without rendezvous); a run steered so that one starves ends in a deadlock.
// What is left over is for the cut query.

#pragma once

#include <string>
#include <vector>

#include "predict/starvation.h"
#include "predict/state.h"

namespace vouch::predict {

enum class QuickVerdict : std::uint8_t { always, possible, never, open };

struct QuickDeadlock {
  QuickVerdict verdict = QuickVerdict::open;
  const char* by = "";                  // the stage that decided
  Schedule witness{};                   // of always and possible: ends in the deadlock
  std::vector<Candidate> candidates{};  // receives that may starve; empty if decided before
};

// Every receive takes its messages from one process, so there is one matching.
bool has_no_choice(const Program&, const MatchPairs&);

// `pairs` must lose none that can happen.
QuickDeadlock quick_deadlock(const Program&, Buffering, const MatchPairs&);

// Who is stuck where in the final state of a deadlock, and why.
struct Stuck {
  int process = 0;
  OpId at = kNoOp;            // the operation it cannot pass
  OpId on = kNoOp;            // what is incomplete: a receive, send or collective; or at itself
  std::vector<int> needs{};   // processes that could still help
  std::vector<Match> gone{};  // messages it could have had, and who took them
};

std::vector<Stuck> explain_deadlock(const Program&, const State&);
// One sentence per stuck process.
std::string print_deadlock(const Program&, const std::vector<Stuck>&);

}  // namespace vouch::predict
