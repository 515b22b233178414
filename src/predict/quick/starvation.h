// Receives that could be left without a message because earlier ones took it: the orphaned
// receives of the dissertation, completed so that nothing is missed.
//
// With infinite buffering, let a deadlock be reached although the counting machine can finish. Take
// the machine's first step that goes beyond the deadlock: it is a receive x (or probe) which is
// stuck for want of a message. All messages sent so far that x accepts were taken, and only by
// receives posted before x: later ones have to leave them to x. The machine found one more message
// than it had counted receives of x's kind; so one of the takers was not counted: it accepts more
// than x does (a wildcard), or no wait before x's says it was matched. Such an x is a candidate.
// Hence: the machine finishes and there is no candidate => no deadlock.
//
// A candidate is refuted when, with all other candidates holding their processes back as early as
// possible, more messages for x are sent than earlier receives could take.
//
// None of this holds with sends that wait for their receiver.

#pragma once

#include <cstddef>
#include <vector>

#include "predict/pairs/match_pairs.h"

namespace vouch::predict {

struct Candidate {
  OpId receive = kNoOp;    // or probe
  OpId taker = kNoOp;      // one that could take its message: the first
  std::size_t takers = 0;  // how many earlier receives could
  bool refuted = false;
};

// In the order of processes and programs. Not yet refuted. Without pairs the envelopes alone say
// who could take what: more candidates, but linear time and no pairs to be kept.
std::vector<Candidate> starvation_candidates(const Program&, const MatchPairs&);
std::vector<Candidate> starvation_candidates(const Program&);
// Marks those that counting alone excludes.
void refute(const Program&, std::vector<Candidate>&);

}  // namespace vouch::predict
