// Between the part of vouch in an instrumented program (libvouch_access.a, linked by `vouch cc`)
// and the preloaded libraries.
//
// Each module of the program, the executable or a library, has a copy of that part, and each copy
// has an AccessModule. It says where memory lies that somebody watches: an access elsewhere costs
// one comparison. An access there goes through a table of the thread, by the place of the
// instruction: one that goes on where the last one of this instruction left off, and one in memory
// that is known not to be watched, are done with there; all others come to `hit`. Where the
// compiler could count a loop, all that one instruction of it touches comes to `loop` at once.

#pragma once

#include <cstdint>

#include "event/access.h"

namespace vouch {

// What an instruction has done in the thread's phase, which is the time between two calls of MPI.
struct AccessRun {
  std::uint64_t place;  // return address of its call into the runtime; 0: free
  std::uint64_t next;   // here it goes on
  std::uint64_t step;
  std::uint64_t gap_low, gap_span;  // nothing is watched there
  std::uint64_t first;              // of the elements before `next`; 0: none
  // The rest is looked at by `hit` alone.
  std::uint64_t bytes;
  std::uint64_t taken;  // a table that is drained meanwhile: up to here it was
  std::uint64_t base, row_step, row_count, stride, rows;
  wire::AccessKind kind;
  std::uint8_t unused[23];
};
static_assert(sizeof(AccessRun) == 128);
inline constexpr std::uint32_t kAccessRuns = 1024;

// Neighbouring calls have places of their own: each takes eight bytes of code and more.
constexpr std::uint32_t run_of(std::uint64_t place) {
  return static_cast<std::uint32_t>(place >> 3) & (kAccessRuns - 1);
}

struct AccessModule {
  // Memory that is watched lies in [low, low + span).
  std::uint64_t low, span;
  void (*hit)(AccessModule*, AccessRun** runs, std::uint64_t address, std::uint64_t bytes,
              wire::AccessKind, std::uint64_t place);
  // A whole loop, before it begins; the site of the pattern is not given.
  void (*loop)(AccessModule*, AccessRun** runs, const AccessPattern&, std::uint64_t place);
  std::uint32_t version;  // kAccessVersion
  std::uint32_t units;    // translation units of it that are instrumented
  const void* self;       // an address in the module
  AccessModule* next;
};
inline constexpr std::uint32_t kAccessVersion = 2;

// What libvouch.so exports, found by name.
using AccessCome = void (*)(AccessModule*);
inline constexpr const char* kAccessCome = "vouch_access_come";
inline constexpr const char* kAccessGo = "vouch_access_go";

}  // namespace vouch
