// What can be said about deadlock without a solver.
//
// Stages, each cheaper than the next: one run ends in a deadlock (in every execution, if the
// counting machine stops, too); no receive has a choice (that run is the only one); no receive can
// starve (proved by counting, without rendezvous); a run steered so that one starves, or a random
// one, ends in a deadlock; a search through few states. What is left over is for the cut query.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "predict/quick/search.h"
#include "predict/quick/starvation.h"

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

QuickDeadlock quick_deadlock(const Program&, Buffering,
                             const std::function<bool()>& out_of_time = {});

// A complete execution, if one run or a search through few states finds it; none: proved that there
// is none; limit: not decided. Conditions play no part.
SearchResult quick_completion(const Program&, Buffering);

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
