// What one run has shown, as far as exploration needs it.
//
// The operations of each process and who met whom: a trace program (predict/ctp.h) with the matches
// of this run. A nondeterministic event is a receive or probe from any source; it is known by its
// process and its number among them, counted from 0 in the order of issue. That is also how a
// schedule names it, so numbers mean the same in every run that agrees so far.

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "predict/ctp.h"

namespace vouch::explore {

using predict::kNoOp;
using predict::OpId;

struct EventId {
  int rank = 0, number = 0;
  auto operator<=>(const EventId&) const = default;
};

// The event takes its message from this process.
struct Decision {
  EventId event{};
  int source = -1;  // process
  int rank = -1;    // the same in the event's communicator, which is how a schedule names it
  auto operator<=>(const Decision&) const = default;
};
using Decisions = std::vector<Decision>;  // by event, each once

// Where an operation stands among the regions that the program marks with MPI_Pcontrol.
struct Mark {
  bool abstracted = false;  // keeps what it got: its alternatives are not explored
  int region = 0;           // for a mixing bound of its own
};

struct Observation {
  predict::Program program{};
  std::vector<OpId> met{};    // by operation: receive or probe: the send; kNoOp: none
  std::vector<Mark> marks{};  // by operation; may be empty: no marks
  std::map<int, std::vector<int>> members{};  // of communicators other than the world: processes
  bool cut = false;  // it was ended before its end: by a deadlock, a crash, a limit
};

inline bool is_event(const predict::Operation& op) {
  return (op.kind == predict::OpKind::receive || op.kind == predict::OpKind::probe) &&
         op.peer == predict::kAny;
}

// Receives that the program never saw complete are given what they can only have got: a message
// that a receive which never returned would have taken is with an earlier pending one; what is
// left goes to whom accepts it, in order. What was forced got its message from there.
void settle(Observation&, const Decisions& forced);

}  // namespace vouch::explore
