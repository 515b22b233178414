// The memory that a window stands for, at each of its processes, and accesses that leave it.
//
// Records of the processes come in any order: an access whose target has not told its memory yet
// waits for that. Memory that is attached to a dynamic window comes and goes, and what came first
// between two processes is not known: outside is only what the target attaches at no time.
//
// Misses: an access to memory before it is attached or after it is detached.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/ids.h"
#include "event/proc.h"
#include "model/datatype.h"

namespace vouch {

struct WindowAccess {
  WorldRank origin;
  std::size_t process = 0;  // its index
  Site site;
  std::string call;       // with its telling arguments
  std::int64_t disp = 0;  // in units of the target
  std::int64_t count = 0;
  TypeRef type;
};

// Memory of one process.
class WindowPart {
 public:
  bool known = false;
  bool dynamic = false;
  bool same_size = false, same_unit = false;  // promised (MPI-4.1 12.2.1)
  std::int64_t bytes = 0, unit = 1;
  WorldRank rank;
  std::size_t process = 0;
  Site made;
  Proc made_by = Proc::none;

  enum class Fit : std::uint8_t { inside, outside, unclear };
  // Of a dynamic one, `outside` is final only when all that is attached is known.
  Fit fit(std::int64_t disp, std::int64_t count, const Type&) const;
  // What is wrong, of an access that is outside.
  std::string words(std::int64_t disp, std::int64_t count, const Type&) const;

  void attach(std::int64_t base, std::int64_t bytes);
  // An access that is not inside so far; false: there are too many of them.
  bool wait(WindowAccess&&);
  std::vector<WindowAccess> take_waiting();

 private:
  bool holds(std::int64_t lo, std::int64_t hi) const;
  void sweep();

  static constexpr std::size_t kMostWaiting = 1 << 14, kMostPieces = 1 << 20;
  std::map<std::int64_t, std::int64_t> attached_;  // disjoint [first, second), never adjacent
  bool too_many_ = false;                          // pieces
  std::vector<WindowAccess> waiting_;
  std::size_t sweep_at_ = 64;
};

}  // namespace vouch
