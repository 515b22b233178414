// How far a guided run must repeat the run that it was made from.
//
// What a process does is a function of what it received and of what its tests answered. So it does
// the same up to the first operation that may depend on a decision which is now another one, or is
// open: on the receive itself, on a message sent behind one, on a collective that brings data from
// behind one. Within that part
//
// - every test is given the answer it got then, so numbers of picks mean the same;
// - every operation must be the same: call, communicator, tag, place. If one is not, the program
//   depends on more than the order of messages (time, random numbers, threads), and that is told.

#pragma once

#include <string>
#include <vector>

#include "explore/observation.h"

namespace vouch::explore {

// By process: the first operation that may be another one. Empty: nothing can be said, since the
// run does not show all ways in which its processes talk.
std::vector<OpId> same_until(const Observation&, const Decisions& forced);

// "" or which rank did at what point something else than was expected of it. `until`: same_until of
// the first run.
std::string first_difference(const Observation& expected, const std::vector<OpId>& until,
                             const Observation& found);

// What a run is given that takes these decisions, which were made from a run `from` (nullptr:
// none).
policy::Schedule schedule_of(const Decisions&, const Observation* from,
                             const std::vector<OpId>& until);

}  // namespace vouch::explore
