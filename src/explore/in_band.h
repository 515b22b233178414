// Clocks that travelled in a run's messages, held against those computed from its records.
//
// A rank whose messages carry clocks (src/shim/band/band.h) knows less than the records tell: a
// synchronous send brings no clock back, a probe sees none, and which of two messages of one source
// was sent first is not known. From the records the same is computed with only that knowledge, and
// must be equal, event by event. What knowing all would change is counted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "explore/clocks.h"
#include "explore/observation.h"

namespace vouch::explore {

// What one rank made of the clocks that came to it. Vector clocks: its own word of them.
struct Carried {
  struct Event {
    int number = 0;   // as in EventId
    int source = -1;  // rank in its communicator
    bool probe = false;
    std::uint32_t clock = 0;          // when it had surely matched
    std::uint32_t message = 0;        // that came with its message; nothing of a probe
    std::vector<int> alternatives{};  // sources, ranks in its communicator
  };
  std::vector<Event> events{};
  std::string gap{};      // why it does not know all of it; "": it does
  bool finished = false;  // it came to MPI_Finalize
};

struct Compared {
  std::string why_not{};                   // "": they were compared
  std::vector<std::string> differences{};  // sentences
  std::size_t events = 0, alternatives = 0;
  std::size_t missed = 0,
              impossible = 0;  // alternatives, if the run is looked at with all knowledge
};

// `known`, and of receives that the records never saw complete what the messages tell.
Decisions with_told(Decisions known, const Observation&, const std::vector<Carried>& by_rank);

Compared compare(const Observation&, Protocol, const std::vector<Carried>& by_rank);

}  // namespace vouch::explore
