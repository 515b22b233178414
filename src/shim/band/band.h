// Clocks that travel in the program's own messages (`vouch explore --clocks-in-band`).
//
// vouch computes clocks from records, after the run; this is the transport of the literature, to
// hold the one against the other. `real` then leads to functions that carry a Lamport clock, one
// word of 32 bits, or a vector clock, one for each rank (docs/design/011-clocks-in-band.md):
//
//   point-to-point   one message of a struct type: the clock, then what the program sends. Of
//                    statuses the clock is taken off again
//   collectives      another collective on the same communicator, before the program's
//
// Records show the program's calls as ever: they are written by whoever calls `real`. Without the
// flag `real` leads straight to the library and nothing of this is reached.
//
//   band_clock   the clock, what has surely matched, what was late
//   band_requests, band_wait   requests of ours, and calls that complete them
//   band_messages, band_collectives   the functions themselves, by a table (gen/emit_band.py)

#pragma once

#include "shim/core/lib.h"

namespace vouch::shim {

// When the process attaches: whether this run carries clocks.
void start_band();
bool banding();
// Once the world is known: all ranks carry the same, or the job is ended.
void band_rank(int rank, int size, bool spawned);
// A process that is not seen must not take part: the others' messages have clocks.
void refuse_without_band();

// In a guided run: the next receive or probe of this thread was asked for with these.
void band_asked(int source, int tag);

// The library's own function for this.
const Real& without_band();

// Requests that complete while one of these is there complete together.
class BandBatch {
 public:
  BandBatch();
  ~BandBatch();
  BandBatch(const BandBatch&) = delete;
  BandBatch& operator=(const BandBatch&) = delete;
};

}  // namespace vouch::shim
