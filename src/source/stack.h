// Where the threads of a living process are.
//
// They are stopped for a moment, their frames are found by the unwind tables of what is loaded, and
// they go on. A system may forbid to look into another process; then there is nothing.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vouch {

struct StackFrame {
  std::string module;
  std::uint64_t offset = 0;  // return address less the load bias, as in Frame
  std::string function{};    // of the libraries that have locks, without leading underscores
};

// Where a return address of the process lies; an empty module: nowhere that is known.
StackFrame frame_at(int pid, std::uint64_t address);

// One list for each thread, innermost first, up to main or the thread's own function.
std::vector<std::vector<StackFrame>> stacks_of(int pid);

}  // namespace vouch
