// The child of a fork that calls MPI.
//
// It has a copy of the library's memory in which MPI is up, and is no MPI process all the same. Its
// parent's rings are not its own, so it has nowhere to record: it tells the agent of one call, and
// that is all.

#pragma once

#include <atomic>
#include <cstdint>

#include "event/proc.h"

namespace vouch::shim {

// This is such a child, and the agent has not been told.
extern std::atomic<std::uint32_t> forked;

void called_in_child(Proc, const void* caller);

}  // namespace vouch::shim
