// One run of a trace program, steered towards a deadlock.
//
// A guess that costs linear time where a proof costs a solver: all other processes go first, as far
// as they can; then the receives of one process take, where they may choose, what a certain later
// receive would need. When that ends in a deadlock there is a witness, which replay confirms; when
// it does not, nothing is known.

#pragma once

#include "predict/program/ctp.h"
#include "predict/program/state.h"

namespace vouch::predict {

struct Steering {
  OpId starve = kNoOp;     // a receive or probe whose messages others shall take
  OpId leave = kNoOp;      // a send whose message is taken only when nothing else can happen
  std::uint64_t seed = 0;  // other choices: 0 takes what was sent first, otherwise at random
};

struct SteeredRun {
  Schedule schedule;
  End end = End::unfinished;  // never that
  bool chose = false;         // somewhere there was more than one message to take
};

SteeredRun steer(const Program&, Buffering, const Steering& = {});

}  // namespace vouch::predict
