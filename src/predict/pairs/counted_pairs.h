// Pairs that counting forbids.
//
// When a receive is reached, all receives that a wait before it certifies have been matched, each
// with a message of its own. If they cannot do without a certain message, it is gone: no later
// receive gets it. (The solver could find that out, but as a pigeonhole problem.)

#pragma once

#include <vector>

#include "predict/pairs/match_pairs.h"

namespace vouch::predict {

// Takes such pairs away; true: there were some. `complete`: all receives are matched in the end,
// and a pair must leave that possible; `possible` becomes false if it is not.
bool prune_by_counting(const Program&, const std::vector<OpId>& nearest_waits, bool complete,
                       MatchPairs&, bool& possible);

}  // namespace vouch::predict
