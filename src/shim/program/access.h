// The path of a load or store inside the program: a few instructions.

#pragma once

#include <cstdint>

#include "shim/access/module.h"

namespace vouch::program {

// By this the reader of a program's symbols knows what is not the program's (source/units.h).
namespace {
[[gnu::used]] const char vouch_is_no_unit = 0;
}

extern "C" {
extern AccessModule vouch_access_module __attribute__((visibility("hidden")));
extern __thread AccessRun* vouch_access_runs
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
}

#define VOUCH_PLACE reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

// Nothing is watched there.
[[gnu::always_inline]] inline bool is_outside(std::uint64_t address) {
  return address - vouch_access_module.low >= vouch_access_module.span;
}

[[gnu::noinline, gnu::cold]] void slow(std::uint64_t address, std::uint64_t bytes,
                                       wire::AccessKind kind, std::uint64_t place);

// An access of a fixed size.
template <std::uint64_t bytes, wire::AccessKind kind>
[[gnu::always_inline]] inline void touch(std::uint64_t address, std::uint64_t place) {
  if (is_outside(address)) [[likely]]
    return;
  AccessRun* const runs = vouch_access_runs;
  if (runs != nullptr) [[likely]] {
    AccessRun& run = runs[run_of(place)];
    if (run.place == place) [[likely]] {
      if (run.next == address) {
        run.next = address + run.step;
        return;
      }
      if (address - run.gap_low < run.gap_span) return;
    }
  }
  slow(address, bytes, kind, place);
}

void touch_loop(const AccessPattern&, std::uint64_t place);

// A range may begin before what is watched.
inline void touch_range(const volatile void* memory, std::uint64_t bytes, wire::AccessKind kind,
                        std::uint64_t place) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  const std::uint64_t low = vouch_access_module.low, span = vouch_access_module.span;
  if (span == 0 || bytes == 0 || address >= low + span || address + bytes <= low) return;
  slow(address, bytes, kind, place);
}

}  // namespace vouch::program
