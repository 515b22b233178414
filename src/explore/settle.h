// Which messages the receives of a run got, where the run itself did not see it.
//
// Records tell source and tag of every receive that completed. Of one that was still pending at the
// end they tell nothing; yet it may have taken a message that a later receive, of the same source
// and tag, would else have got. So all receives of a process are given messages anew, in the order
// in which they were posted: a completed one the next of its source, with the tag that was seen; a
// pending one any that it accepts; one that the process still waits for nothing, though nothing is
// left that it accepts. A synchronous send tells by its return that it was received. If several
// ways are open, the first is taken: nobody saw the difference.

#pragma once

#include <vector>

#include "explore/observation.h"

namespace vouch::explore {

// Expects in `met` of completed receives and probes any message of the right source and tag. What
// was forced got its message from there. `stands`: by process, it never returned from its last
// operation.
void settle(Observation&, const Decisions& forced, const std::vector<bool>& stands);

// Before that: receives that were never seen to complete and whose sources the run's schedule tells
// all the same got their messages: the library stopped the process there, and it stands no more.
void take_known(Observation&, const policy::Schedule&, std::vector<bool>& stands);

}  // namespace vouch::explore
