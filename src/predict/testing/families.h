// The benchmark programs of the dissertation, rebuilt from their descriptions for any size.
//
// Where the tables give call counts, `calls` of our programs gives the same. What the descriptions
// leave open is chosen so that the published verdicts hold, and said at each.

#pragma once

#include <vector>

#include "predict/program/ctp.h"

namespace vouch::predict {

// As the tables count: a blocking call is an operation and a wait; conditions are no calls.
std::size_t calls(const Program&);
std::size_t messages(const Program&);

// n processes send one number each, 1 .. n, to process 0, which takes n from anywhere.
enum class FanInQuestion : std::uint8_t {
  none,
  one_assignment,  // violated only if the i-th receive gets the i-th number
  one_is_missing,  // violated if nobody gets 1: never
  sum              // violated if the sum is another than 1 + .. + n: never
};
Program fan_in(int n, FanInQuestion = FanInQuestion::none);
// So many senders with so many messages each. WorstT1 = (4, 25), WorstT2 = (100, 1).
Program worst(int senders, int each);
// The same; sends do not block and nobody waits for them. DeepComm = (4, 15).
Program deep_comm(int senders, int each);

// Chang and Roberts' leader election on a ring of n: n (n + 1) / 2 messages and n announcements,
// less `saved` (one swap of neighbours saves up to n - 1). (34, 9) gives 620.
Program leader_election(int n, int saved = 0);
// A ring; each node sends to both neighbours and hears both, two rounds, then a barrier.
Program router(int processes);
// Figure 2.9 n times; the last first receive may get another message than asserted.
Program multi_m(int n);
// Each message goes from one random task to another; all receives take any.
Program pktuse(int tasks, int messages, std::uint64_t seed = 1);

// Manager and workers; the manager collects from all, itself included, then two barriers.
Program monte(int processes);
// A broadcast of the task, results collected from anywhere, wrongly asserted to come in order.
Program integrate(int processes);
// Upwind halo exchange on a grid (every cell is a cycle), gathering, one message there and back;
// barriers between.
Program diffusion(int rows, int columns);
// No barriers, and six more results that the root wants from one process each: they may be gone.
Program diffusion_without_barriers(int rows, int columns);
// Rows go from each rank to the next, results to rank 0; twice, a barrier between.
Program floyd(int processes);
// Rank i hears ranks i - 1 and i - 2, in any order.
Program gaussian_elimination(int processes);

// n wildcards take one of the only message the last receive could have and others.
// dlg1, dlg8, dlg5: 1, 2, 3.
Program dlg(int wildcards);
// p0 n times { any, from 1 }; p1 sends 2 n - c, p2 c.
Program mismatch(int n, int c);
// Figure 4.1 enlarged: p0 takes `before` from anywhere, then one of p1, which after `early` sends
// waits for p0.
Program mismatch_ex(int before, int early, int from1, int from2);
inline Program mismatch_ex() { return mismatch_ex(57, 30, 42, 31); }
// Three ranks: early sends, n receives waited for at once, late sends to the next.
Program circular(int n, int early, int late);

// Satisfiability as a trace [P10, P57]: per variable a 0 and a 1 race; the later wins. Clauses as
// in DIMACS, asserted.
Program sat_gadget(int variables, const std::vector<std::vector<int>>& clauses);

}  // namespace vouch::predict
