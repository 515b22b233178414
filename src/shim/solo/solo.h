// A rank that is tried alone: all orders in which it could have got its messages, without the job.
//
// If the others cannot notice in which order a rank took its messages, because it sends the same
// whatever it got, then only that rank need be run again. In a run that repeats a known one the
// rank keeps what it receives (the log), and at its first open decision it is copied by fork. The
// copy is cut off from MPI: its calls are answered from the log. Where a receive from any source
// could have several messages, it is copied once more for each. A path on which it asks for
// something else, sends something else, is stuck, prints or returns something new, is told and
// ends: such a schedule is to be run with the whole job.
//
// This works by other functions in `real`, for that rank of that run alone. What they cannot do
// (RMA, I/O, tests, new communicators ... after the copy was made) ends a path as unsupported.

#pragma once

namespace vouch::shim {

// When the process attaches: whether this run is such a one, and whether it has threads already.
void solo_open();
// Once the world is known.
void solo_start(int rank);
// A receive or probe from any source is about to be made. True: this is a copy; the call is to be
// passed on as the user made it.
bool solo_event();
// The program says something of its values (api/vouch.h). True: this is a copy, and that was noted.
bool solo_claim(unsigned kind, int holds);

}  // namespace vouch::shim
