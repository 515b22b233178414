// Loads and stores, as compilers call them out with -fsanitize=thread.

#include "shim/program/access.h"

namespace vouch::program {

namespace {

using enum wire::AccessKind;

[[gnu::always_inline]] inline std::uint64_t at(const volatile void* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

}  // namespace

extern "C" {
__thread AccessRun* vouch_access_runs __attribute__((tls_model("initial-exec")));
}

void slow(std::uint64_t address, std::uint64_t bytes, wire::AccessKind kind, std::uint64_t place) {
  vouch_access_module.hit(&vouch_access_module, &vouch_access_runs, address, bytes, kind, place);
}

void touch_loop(const AccessPattern& loop, std::uint64_t place) {
  const AccessHull hull = hull_of(loop);
  const std::uint64_t low = vouch_access_module.low, span = vouch_access_module.span;
  if (hull.low >= low + span || hull.high <= low) return;
  if (AccessRun* const runs = vouch_access_runs; runs != nullptr) {
    const AccessRun& run = runs[run_of(place)];
    if (run.place == place && hull.low - run.gap_low < run.gap_span &&
        hull.high - run.gap_low <= run.gap_span)
      return;
  }
  vouch_access_module.loop(&vouch_access_module, &vouch_access_runs, loop, place);
}

extern "C" {

#define VOUCH_ACCESS(name, size, kind) \
  void __tsan_##name(void* p) { touch<size, kind>(at(p), VOUCH_PLACE); }
#define VOUCH_SIZES(prefix, suffix, kind)  \
  VOUCH_ACCESS(prefix##1##suffix, 1, kind) \
  VOUCH_ACCESS(prefix##2##suffix, 2, kind) \
  VOUCH_ACCESS(prefix##4##suffix, 4, kind) \
  VOUCH_ACCESS(prefix##8##suffix, 8, kind) \
  VOUCH_ACCESS(prefix##16##suffix, 16, kind)

VOUCH_SIZES(read, , read)
VOUCH_SIZES(write, , write)
VOUCH_SIZES(unaligned_read, , read)
VOUCH_SIZES(unaligned_write, , write)
VOUCH_SIZES(volatile_read, , read)
VOUCH_SIZES(volatile_write, , write)
VOUCH_SIZES(unaligned_volatile_read, , read)
VOUCH_SIZES(unaligned_volatile_write, , write)
// A load and a store of the same bytes: the store says it all.
VOUCH_SIZES(read_write, , write)
VOUCH_SIZES(unaligned_read_write, , write)

void __tsan_read_range(void* p, unsigned long bytes) { touch_range(p, bytes, read, VOUCH_PLACE); }
void __tsan_write_range(void* p, unsigned long bytes) { touch_range(p, bytes, write, VOUCH_PLACE); }
// By the plugins of compilers (src/instrument), before a loop: all that one instruction of it does.
// `what`: the bytes of an element, and kWrites.
void vouch_access_pattern(void* p, long step, long count, long stride, long rows, unsigned what) {
  if (vouch_access_module.span == 0 || count <= 0 || rows <= 0) return;
  constexpr unsigned kWrites = 1 << 8;
  touch_loop({.kind = (what & kWrites) != 0 ? write : read,
              .address = at(p),
              .bytes = what & (kWrites - 1),
              .step = static_cast<std::uint64_t>(step),
              .count = static_cast<std::uint64_t>(count),
              .stride = static_cast<std::uint64_t>(stride),
              .rows = static_cast<std::uint64_t>(rows)},
             VOUCH_PLACE);
}

void __tsan_vptr_read(void** p) { touch<8, read>(at(p), VOUCH_PLACE); }
void __tsan_vptr_update(void** p, void*) { touch<8, write>(at(p), VOUCH_PLACE); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}

}  // extern "C"

}  // namespace vouch::program
