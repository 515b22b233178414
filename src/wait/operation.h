// What a process does, as far as waiting is concerned.
//
// The calls of a process become a sequence of operations, numbered from 0. One of them is its
// position: the operation it is active in. MPI_Sendrecv is three (a send and a receive that do not
// wait, and the wait for both), an MPI_Isend is one, a call that can neither wait nor be waited for
// is none.
//
// Under MPI_THREAD_MULTIPLE each thread of a process is a strand with a position of its own. The
// operations of all strands share one numbering, in the order of their calls: which thread posted a
// receive does not matter to its message.

#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "base/ids.h"

namespace vouch::wait {

using Rank = std::int32_t;     // number of a process in the job
using Index = std::uint64_t;   // of an operation in its process
using CommId = std::uint64_t;  // equal in all members

inline constexpr Rank kAnyRank = -1;
inline constexpr std::int32_t kAnyTag = -1;

enum class Kind : std::uint8_t {
  send,
  recv,
  probe,       // sees a message and leaves it there
  collective,  // also one of the calls that make or free a communicator, window or file
  receipt,     // of a message that a matched probe has taken out of its queue
  completion,  // MPI_Wait and its kind
  finalize,    // the end: no rule leads past it
  other,       // ends without other processes' help, or nobody knows: never counted as blocked
};

// What a report calls it. The engine only compares labels.
struct Label {
  std::uint16_t proc = 0;
  Site site;
  auto operator<=>(const Label&) const = default;
};

// How sends count that the library may buffer (MPI-4.1 3.4).
struct Buffering {
  enum class Mode : std::uint8_t {
    strict,  // they may block: a program must not rely on the buffer
    as_run,  // what returned did not block
    limit,   // those of at most `bytes` do not block
  };
  Mode mode = Mode::strict;
  std::uint64_t bytes = 0;
};

// A message's address. In a receive source and tag may be kAnyRank, kAnyTag.
struct Envelope {
  CommId comm = 0;
  Rank source = kAnyRank, dest = kAnyRank;
  std::int32_t tag = 0;
  bool operator==(const Envelope&) const = default;
};

// Who calls: a process, and which of its strands. A plain rank means its only one.
struct Caller {
  Rank rank = 0;
  std::uint32_t strand = 0;
  Caller(Rank rank, std::uint32_t strand = 0) : rank(rank), strand(strand) {}  // NOLINT: implicit
};

struct Op;

struct Batch;
struct Messages;  // a queue (inbox.h)
struct Wildcards;

// All of an operation but its parts, whose memory is used again.
struct OpState {
  Kind kind = Kind::other;
  bool blocks = false;    // its process may only go on once it has met its partner
  bool excused = false;   // it need not: buffered, proven not to wait, or over
  bool active = false;    // its process has come to it
  bool passed = false;    // and has gone on
  bool met = false;       // its partner is active or past (collective: all members are)
  bool held = false;      // a live request stands for it
  bool returned = false;  // the library's call is over
  bool wildcard = false;
  bool resolved = false;  // what a wildcard took is known
  bool all = false;       // completion: all parts are needed, else one
  bool remote = false;    // stands for a send of another node, or one that was at rest
  bool lenient = false;   // once it has returned it is excused
  bool loose = false;     // a library may let it go on alone: it may buffer, or leave early
  bool withdrawn = false;
  bool vague = false;     // a message that was forgotten: sent then or later
  bool promised = false;  // a send: some receive takes it, nobody knows which (inbox.h)
  // MPI-4.1 3.8.2: a matched probe takes a message, but its sender can go on only once that is
  // received. A receive that claims is such a probe, until then.
  bool claims = false;
  bool claimed = false;  // a send: taken by one, and not received
  bool decided = false;  // a schedule says what it takes, until it has: the envelope then does, too
  bool imposed = false;  // only a schedule makes its process wait for it
  Rank rank = 0;
  std::uint32_t strand = 0;
  Index at = 0;
  Label label;
  Envelope envelope;
  Envelope asked;          // decided: what the program asked for
  Rank source = kAnyRank;  // of the message a receive took, once known
  std::int32_t tag = 0;
  Index took = 0;  // a receive that met: its send; a receipt, and a claimed send: the matched probe
  std::uint64_t wave = 0;
  std::uint32_t references = 0;  // completions of the window that name it
  std::uint32_t met_parts = 0;
  Op* next = nullptr;  // in its queue
  Op* prev = nullptr;
  Batch* batch = nullptr;  // stands in its queue for these messages; itself it is none
  Op* next_own = nullptr;  // called next by its strand
  Op* waiter = nullptr;    // the completion that its process is in, if that needs it
  Messages* queue = nullptr;
  Wildcards* among = nullptr;  // unresolved wildcards it stands with
};

// Kept from the call until nobody can ask for it any more.
struct Op : OpState {
  std::vector<Op*> parts;  // of a completion

  bool may_pass() const {
    if (!blocks || excused || met) return true;
    if (kind != Kind::completion) return false;
    return all ? met_parts == parts.size() : met_parts > 0 || parts.empty();
  }
  bool fulfilled() const { return met || excused; }  // a wait for it would return
  void undecide() {
    if (decided) envelope = asked;
    decided = false;
  }
  // It is over. Its state stays until it is another one.
  void reset() { parts.clear(); }
  // Nothing is left of the one before. In place, since there are millions of them.
  void renew() { ::new (static_cast<void*>(static_cast<OpState*>(this))) OpState; }
};

}  // namespace vouch::wait
