// What one thread has read and written in one module since its last record: the runs of its
// instructions, and patterns that are complete.
//
// An instruction in a loop makes a row of accesses with a fixed step, and then the next row. While
// it goes on where it was expected the program's part of vouch counts it alone (program/access.h).
// Here is what happens otherwise: a row ends, rows with a fixed stride become one pattern, and what
// an instruction repeats within a phase is not noted again.
//
// Another thread may drain a lane while its owner goes on: it gives the owner the second table, and
// looks at the first one again the next time, for what was counted meanwhile. All but the counting
// is done under one lock (access.cc).

#pragma once

#include <cstdint>

#include "event/access.h"
#include "shim/access/module.h"

namespace vouch::shim {

// A pattern before its place has a number.
struct PlacedPattern {
  std::uint64_t place;
  AccessPattern pattern;
  bool operator==(const PlacedPattern&) const = default;
};

class AccessLane {
 public:
  static constexpr std::uint32_t kPatterns = 256;
  static constexpr std::uint32_t kSeen = 128;
  // Takes over what is complete: count patterns. Called when there is no room.
  using Spill = void (*)(void* context, const PlacedPattern*, std::uint32_t count);

  // In zeroed memory, for the thread whose variable this is.
  void begin(AccessModule*, AccessRun** runs, const void* owner);
  // The thread has ended, or the module is gone: its variable must not be touched any more.
  void orphan() { runs_ = nullptr; }
  bool orphaned() const { return runs_ == nullptr; }
  static AccessLane* of(AccessRun* table) {
    return reinterpret_cast<AccessLane*>(table[kAccessRuns].first);
  }

  const void* owner() const { return owner_; }
  AccessModule* module() const { return module_; }
  // Nothing was noted since it was drained.
  bool idle() const { return used_[0] + used_[1] + ready_ == 0; }
  // The next access may spill.
  bool full() const { return ready_ + 4 > kPatterns; }

  void touch(std::uint64_t address, std::uint64_t bytes, wire::AccessKind, std::uint64_t place,
             Spill, void* context);
  // A loop that is told at once: a row of what this place does, or rows.
  void loop(const AccessPattern&, std::uint64_t place, Spill, void* context);
  // The instruction is in [low, low + span), where nothing is watched.
  void outside(std::uint64_t place, std::uint64_t low, std::uint64_t span, Spill, void* context);
  // What is watched has changed.
  void forget_outside();
  // Ends the phase. `own`: the caller is the owner.
  void drain(bool own, Spill, void* context);

  AccessLane* next = nullptr;

 private:
  AccessRun& run(std::uint64_t place, Spill, void* context);
  void row(AccessRun&, Spill, void* context);
  void finish(AccessRun&, Spill, void* context);
  void emit(std::uint64_t place, const AccessPattern&, Spill, void* context);
  void close(unsigned table, bool keep, Spill, void* context);
  void late(unsigned table, Spill, void* context);

  AccessModule* module_;
  AccessRun** runs_;
  const void* owner_;
  unsigned active_;
  std::uint32_t used_[2];
  std::uint32_t ready_;
  std::uint16_t places_[2][kAccessRuns];
  // Patterns of this phase, the latest of each hash.
  struct Seen {
    PlacedPattern is;
    std::uint64_t phase;
  };
  Seen seen_[kSeen];
  std::uint64_t phase_;  // 0: the first
  PlacedPattern patterns_[kPatterns];
  AccessRun tables_[2][kAccessRuns + 1];  // the last one of each leads back here
};

}  // namespace vouch::shim
