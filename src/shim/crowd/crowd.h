// Two threads inside MPI at once: noticing it, and giving it a chance to happen.
//
// Whether something orders two calls of different threads cannot be seen from outside: a lock, an
// atomic flag, a futex of an OpenMP runtime all look alike. What can be seen is that two calls are
// open at the same time, and that proves that nothing orders them. So that it does not depend on
// luck, a call is held back for a moment before it is passed on to the library: a thread that is
// free to come comes, one that waits for a lock, a join or a barrier does not. Holding back changes
// nothing that the program can count on (docs/design/004-threads.md).
//
// Called only once the program has started a thread, and only at a level that lets several threads
// call MPI.

#pragma once

#include <cstdint>

#include "event/proc.h"
#include "shim/core/runtime.h"

namespace vouch::shim {

// What a call has to do with other threads.
enum class Crowding : std::uint8_t {
  none,      // any thread may call it at any time
  plain,     // may not meet another under MPI_THREAD_SERIALIZED
  conflict,  // may conflict with another under MPI_THREAD_MULTIPLE: collectives, completions, frees
  receive,   // conflicts if it takes a message that was probed, or that another one asks for
  probe,
  send,  // conflicts with one of the same envelope
};
Crowding crowding(Proc);

// How long a call waits for others: brief, if what it may meet is worth a note only.
enum class Hold : std::uint8_t { none, brief, full };
// Whether this call is to be held back: the first ones at each site and thread, while there is time
// left for it.
Hold shall_hold(Thread&, Proc, std::uint32_t site);
// Sleeps until no other thread of the process is on its way any more (others.h). Then Meta::issued.
void hold(Thread&, Proc, Hold, std::uint32_t seq);
// After the enter record: is another thread inside?
void look_around(Thread&, Proc);

}  // namespace vouch::shim
