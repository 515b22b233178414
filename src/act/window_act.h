// What a call says of a window, understood once: the epoch it opens or closes, whom it completes
// accesses with, the data it moves. Epoch rules, clocks and the detector of races consume this;
// none of them decodes a call by itself (docs/design/014-acts.md).

#pragma once

#include <cstdint>
#include <vector>

#include "act/window_call.h"
#include "model/process.h"

namespace vouch {

// One buffer that a call which moves data names.
struct MovedSide {
  bool there = false;  // it has bytes
  std::uint64_t address = 0;
  std::int64_t count = 0;
  TypeRef type;  // nullptr: not known
};

struct WindowAct {
  static constexpr std::int64_t kAllTargets = -1;
  const WindowCall* call = nullptr;
  WindowDeed deed = WindowDeed::none;
  std::uint64_t window = 0;           // raw handle; not of create
  std::int64_t target = kAllTargets;  // rank in the window's group
  // The target is MPI_PROC_NULL, or nobody: the call does nothing.
  bool nobody = false;
  bool exclusive = false;  // lock
  // Asserts.
  bool no_precede = false, no_succeed = false, no_check = false, no_store = false, no_put = false;
  const Members* group = nullptr;  // start, post; nullptr: not known
  // move
  MovedSide origin, result, compare;
  MovedSide at_target;  // its address is the displacement, in units of the target
  Constant op = Constant::none;
  bool fetches() const { return call->gets || call->result >= 0; }
};

// `window` may be one that this process does not know. Nothing (deed none) if the call is about no
// window.
WindowAct window_act(const Process&, const Call&);

// Ranks in the window's group of those that a start or post names; false: not known.
bool ranks_in(const Members& window, const Members* group, std::vector<int>& ranks);

}  // namespace vouch
