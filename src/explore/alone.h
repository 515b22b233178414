// A rank whose order of messages nobody else can notice: it is tried alone.
//
// Only one rank receives from any source, and what the others do follows from what it sends. If it
// sends the same whatever it got, then all other ranks do the same in all schedules: those need not
// be run. That it does so is seen by running it, alone, through all its orders (shim/solo/solo.h);
// here is what it must know for that: which messages there are, and after how many of its own sends
// and collectives each can be there. Paths on which it does something else come back, to be run
// with the whole job.
//
// What is proved so holds under what exploration assumes anyway: that what a program does depends
// on its input and on the order of messages alone.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "explore/clocks.h"

namespace vouch::explore {

struct AlonePlan {
  struct Event {
    int source = -1;  // rank in its communicator
    bool fixed = false;
  };
  struct Message {  // of the k-th receive of the rank, by issue
    int source = -1, tag = -1;
    std::uint32_t order = 0, need = 0;
  };
  int rank = 0;
  std::uint32_t first = 0;  // the first event that is not fixed
  std::uint32_t sends = 0;  // sends and collectives of the rank from there on
  std::vector<Event> events{};
  std::vector<Message> messages{};
};

// What was found out. Decisions are in the order in which they were made.
struct Alone {
  bool whole = false;  // every order was tried
  std::uint64_t same =
      0;  // schedules in which nobody does anything else, the run itself among them
  bool sources_vary = false;           // its receives name other sources in some of them
  std::vector<Decisions> differing{};  // to be run; with the fixed ones
  std::string why{};                   // not whole: a phrase
};

// The error says why this run is none of that kind. `fixed`: decisions that are not to be changed.
Result<AlonePlan> plan_alone(const Observation&, const Analysed&, const Decisions& fixed);

// The decision that this event of the run gets its message from that rank of its communicator.
Decision decided(const Observation&, EventId, int rank);

// No schedule of this run's trace program is stuck, even if sends are not buffered.
bool never_stuck(const Observation&, double seconds);

}  // namespace vouch::explore
