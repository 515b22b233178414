// Which of two accesses is over before the other begins (docs/design/015-one-sided-races.md).
//
// A start is a set of moments that all happen before the access; an end is a noted point. What
// happens within one process is told by its ticks, a number for each of its steps.

#pragma once

#include <cstdint>

#include "match/clock.h"
#include "match/exposure.h"

namespace vouch::rma {

using Tick = std::uint64_t;
// Of a call when it is entered, or of an access of the program, by the number of its record; and of
// a call when it has returned.
constexpr Tick entered(std::uint32_t record) { return Tick{record} << 1; }
constexpr Tick returned(std::uint32_t call) { return entered(call) + 1; }

struct Start {
  std::uint32_t process = 0;
  Tick tick = 0;
  MomentRef knows;  // what the process knew of others
  // The call of the owner by which its memory was exposed, if that orders.
  MomentRef exposed;

  bool known() const { return (!knows || knows->known()) && (!exposed || exposed->known()); }
  bool doubtful() const { return (knows && knows->doubtful) || (exposed && exposed->doubtful); }
};

struct AccessEnd {
  NotedPoint point;
  Tick tick = 0;  // of the point's process
  bool there() const { return point.there(); }
};

// Of a start that is known.
inline bool behind(const Start& start, const AccessEnd& end) {
  if (!end.there()) return false;
  const NotedPoint& p = end.point;
  if (p.process == start.process) {
    if (end.tick <= start.tick) return true;
  } else if (start.knows && start.knows->knows(p.process, p.number)) {
    return true;
  }
  return start.exposed && start.exposed->knows(p.process, p.number);
}

constexpr std::int32_t kAll = -1;

// Under which lock an access is made: of the target's memory in a window, by whom it says.
struct LockHeld {
  std::uint32_t window = 0;  // its number; 0: none
  std::int32_t target = kAll;
  bool exclusive = false;
  bool operator==(const LockHeld&) const = default;
};

// They exclude each other, in whatever order they come. Of two processes.
inline bool exclude(const LockHeld& a, const LockHeld& b) {
  const bool common = a.target == b.target || a.target == kAll || b.target == kAll;
  return a.window != 0 && a.window == b.window && common && (a.exclusive || b.exclusive);
}

}  // namespace vouch::rma
