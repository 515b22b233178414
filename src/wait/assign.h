// Which of the messages that are there a process's receives may have taken.
//
// Each receive, in the order of posting, takes the first message that it accepts of some source, of
// those that earlier ones have left; it must take one if there is one. Which source is the
// library's choice (MPI-4.1 3.5). So a later receive may be left with nothing whatever the library
// chooses, although a message that it accepts is there.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wait/operation.h"

namespace vouch::wait {

struct Wanted {
  Rank source = kAnyRank;  // or any
  std::int32_t tag = kAnyTag;
  bool needed = false;  // whether this one gets a message is asked
};
struct Arrived {
  Rank source = 0;
  std::int32_t tag = 0;
};

// Of more messages that matter nothing is found out.
inline constexpr std::size_t kMostArrived = 64;

// Whether the needed ones may get a message: all at once, or one of them. `wanted` is in the order
// of posting, `there` in the order of sending for each source. What would take too long to find
// out may be; and so may be, rarely, what only the order of arrival over several tags and sources
// forbids.
bool may_get(std::span<const Wanted> wanted, std::span<const Arrived> there, bool all);

// Whether a wait for the needed ones may be in vain: where all are needed, one of them may be left
// with nothing; else all may. What would take too long to find out may not be.
bool may_miss(std::span<const Wanted> wanted, std::span<const Arrived> there, bool all);

}  // namespace vouch::wait
