// How far apart the handles of an array lie in the memory of a process.

#pragma once

#include <cstdint>

#include "model/process.h"

namespace vouch {

inline std::uint64_t handle_size(const Process& process) {
  return process.library == wire::Library::mpich ? 4 : 8;
}

}  // namespace vouch
