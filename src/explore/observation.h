// What one run has shown, as far as exploration needs it.
//
// The operations of each process and who met whom: a trace program (predict/program/ctp.h) with the
// matches of this run. A nondeterministic event is a receive or probe from any source; it is known
// by its process and its number among them, counted from 0 in the order of issue. That is also how
// a schedule names it, so numbers mean the same in every run that agrees so far. So is a call that
// took some of several requests (MPI_Waitany); its number is that of its pick in the schedule.

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "event/proc.h"
#include "policy/schedule.h"
#include "predict/program/ctp.h"

namespace vouch::explore {

using predict::kNoOp;
using predict::OpId;

struct EventId {
  int rank = 0, number = 0;
  auto operator<=>(const EventId&) const = default;
};
// Numbers of picks begin here, so that those of receives do not depend on them.
inline constexpr int kFirstPick = 1 << 30;
inline bool is_pick(EventId id) { return id.number >= kFirstPick; }

// The event takes its message from this process; a pick: takes these requests (Choice::label).
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

// What a call asked for, beyond what its operation shows.
struct Asked {
  Proc call = Proc::none;
  int thread = 0;
  std::uint64_t comm = 0;   // the same in every run
  std::uint64_t picks = 0;  // of its process before it
  std::uint64_t data = 0;   // send: a digest of what it reads; 0: not known
};

// A wait, or a test that said yes, that took some of several pending requests.
struct Choice {
  OpId wait = kNoOp;
  std::uint64_t pick = 0;                    // its number among the picks of its process
  bool several = false;                      // the call may take more than one
  std::vector<int> chosen{};                 // places in its array
  std::vector<std::pair<int, OpId>> open{};  // all that were pending there

  static constexpr int kMostPlaces = 30;  // of a call that may take several
  // One number for what was taken: the place, or a bit for each.
  int label() const;
  static policy::Pick pick_of(bool several, int label);
};

struct Observation {
  predict::Program program{};
  std::vector<OpId> met{};    // by operation: receive or probe: the send; kNoOp: none
  std::vector<Mark> marks{};  // by operation; may be empty: no marks
  std::map<int, std::vector<int>> members{};  // of communicators other than the world: processes
  std::vector<Asked> asked{};                 // by operation; may be empty
  std::vector<Choice> choices{};              // by wait
  std::vector<std::vector<policy::PickRun>> picks{};  // by process: what its tests answered
  bool whole = true;  // false: processes may also have talked in ways that are not shown
  bool cut = false;   // it was ended before its end: by a deadlock, a crash, a limit
};

inline bool is_event(const predict::Operation& op) {
  return (op.kind == predict::OpKind::receive || op.kind == predict::OpKind::probe) &&
         op.peer == predict::kAny;
}

// A process's rank in a communicator (Observation::members).
int rank_in(const std::map<int, std::vector<int>>& members, int comm, int process);

}  // namespace vouch::explore
