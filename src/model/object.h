// What all MPI objects have in common.
//
// Libraries reuse handle values, so identity is (process, kind, raw, generation).

#pragma once

#include <cstdint>

#include "base/ids.h"
#include "event/proc.h"

namespace vouch {

struct Object {
  std::uint64_t raw = 0;
  std::uint32_t generation = 0;
  Site made;  // unknown for predefined ones
  Proc made_by = Proc::none;
  Site freed;  // of a stale object
  Proc freed_by = Proc::none;
  Constant constant = Constant::none;  // predefined
  std::uint32_t refs = 1;  // handles the user holds: MPI_Comm_group may return one object twice
  // Born of a call whose meaning is not defined, or a request in a state that nobody knows: say no
  // more about it.
  bool poisoned = false;
  Site blamed;             // that call, if its finding is an error
  std::uint32_t born = 0;  // number of the record that told of it; 0: before all calls
  bool predefined() const { return constant != Constant::none; }
  // Made when the call of this number was under way. If that call frees what has this handle, it
  // means an older object: the library may give the value to another thread before the call is
  // back.
  bool born_during(std::uint32_t call) const {
    return born != 0 && static_cast<std::int32_t>(born - call) > 0;
  }
};

}  // namespace vouch
