// What a procedure does with a window: which of its parameters say where and how.

#pragma once

#include <cstdint>

#include "event/proc.h"

namespace vouch {

enum class WindowDeed : std::uint8_t {
  none,
  create,
  free,
  attach,
  detach,
  query,  // of the memory of a neighbour
  fence,
  start,
  complete,
  post,
  wait,
  test,
  lock,
  unlock,
  lock_all,
  unlock_all,
  flush,
  flush_all,
  sync,
  move,  // data
};

// Opens or closes an epoch.
bool changes_epochs(WindowDeed);

struct WindowCall {
  WindowDeed deed = WindowDeed::none;
  bool local = false;    // flush, flush_all: at the origin only
  std::int8_t win = -1;  // parameters; -1: it has none
  std::int8_t rank = -1, assert = -1, group = -1, comm = -1, base = -1, bytes = -1, unit = -1;
  std::int8_t flag = -1, lock_type = -1, info = -1;
  // create: where the memory is, told when it returns
  std::int8_t base_out = -1;
  // move
  std::int8_t disp = -1, op = -1;
  std::int8_t origin = -1, origin_count = -1, origin_type = -1;  // origin_count -1: one element
  std::int8_t result = -1;
  std::int8_t result_count = -1, result_type = -1;  // -1: nothing is fetched, or as the origin
  std::int8_t compare = -1;
  std::int8_t target_count = -1, target_type = -1;  // target_count -1: one element
  bool gets = false;         // from the target to the origin, without combining
  bool accumulates = false;  // combines
  bool swaps = false;        // MPI_Compare_and_swap
  bool requests = false;     // has a request: passive target only
};

const WindowCall& window_call(Proc);

}  // namespace vouch
