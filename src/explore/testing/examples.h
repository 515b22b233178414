// The programs of docs/spec/exploration.md that act on what they receive.

#pragma once

#include "explore/testing/sim.h"

namespace vouch::explore {

Simulated crooked_barrier();                    // [T1]
Simulated late_prefix();                        // [T21]
Simulated n_receives(int senders, int rounds);  // [T17]
// [T18]; the first `marked` phases lie between MPI_Pcontrol(1) and (0); regions: each phase is one.
Simulated phases(int senders, int rounds, int marked = 0, bool regions = false);
Simulated matmul(int workers, int blocks);  // [T19]
Simulated probe_loop(int senders);          // [T26]

}  // namespace vouch::explore
