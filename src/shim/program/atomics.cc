// Atomic operations: each is done here, as the program asked for it, and recorded at its place.
//
// What stores is recorded before it is done, what loads after. The order of memory is the
// strongest, which every weaker one allows.

#include "shim/program/access.h"

namespace vouch::program {

using enum wire::AccessKind;

namespace {

template <typename T>
[[gnu::always_inline]] inline void note(const volatile T* p, wire::AccessKind kind,
                                        std::uint64_t place) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (!is_outside(address)) slow(address, sizeof(T), kind, place);
}

}  // namespace

extern "C" {

using a8 = unsigned char;
using a16 = unsigned short;
using a32 = unsigned int;
using a64 = unsigned long;
__extension__ using a128 = unsigned __int128;

#define VOUCH_FETCH(bits, op)                                                     \
  a##bits __tsan_atomic##bits##_fetch_##op(volatile a##bits* p, a##bits v, int) { \
    note(p, atomic_update, VOUCH_PLACE);                                          \
    return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);                           \
  }
#define VOUCH_SWAP(bits, strength, weak)                                                          \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile a##bits* p, a##bits* expected,   \
                                                        a##bits v, int, int) {                    \
    note(p, atomic_update, VOUCH_PLACE);                                                          \
    return __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
#define VOUCH_ATOMIC(bits)                                                                   \
  a##bits __tsan_atomic##bits##_load(const volatile a##bits* p, int) {                       \
    const a##bits v = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                  \
    note(p, atomic_read, VOUCH_PLACE);                                                       \
    return v;                                                                                \
  }                                                                                          \
  void __tsan_atomic##bits##_store(volatile a##bits* p, a##bits v, int) {                    \
    note(p, atomic_write, VOUCH_PLACE);                                                      \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                \
  }                                                                                          \
  a##bits __tsan_atomic##bits##_exchange(volatile a##bits* p, a##bits v, int) {              \
    note(p, atomic_update, VOUCH_PLACE);                                                     \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                          \
  VOUCH_FETCH(bits, add)                                                                     \
  VOUCH_FETCH(bits, sub)                                                                     \
  VOUCH_FETCH(bits, and)                                                                     \
  VOUCH_FETCH(bits, or)                                                                      \
  VOUCH_FETCH(bits, xor)                                                                     \
  VOUCH_FETCH(bits, nand)                                                                    \
  VOUCH_SWAP(bits, strong, false)                                                            \
  VOUCH_SWAP(bits, weak, true)                                                               \
  a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits* p, a##bits expected,  \
                                                     a##bits v, int, int) {                  \
    note(p, atomic_update, VOUCH_PLACE);                                                     \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                         \
  }

VOUCH_ATOMIC(8)
VOUCH_ATOMIC(16)
VOUCH_ATOMIC(32)
VOUCH_ATOMIC(64)

// The program does it itself: this stands before what stores, and behind what loads
// (src/instrument/clang_accesses.cc).
void vouch_access_atomic(const volatile void* p, unsigned long bytes, unsigned kind) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (!is_outside(address)) slow(address, bytes, static_cast<wire::AccessKind>(kind), VOUCH_PLACE);
}

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Sixteen bytes: by cmpxchg16b, which every processor has that vouch runs on; no libatomic.
static a128 swap128(volatile a128* p, a128 expected, a128 v) {
  return __sync_val_compare_and_swap(p, expected, v);
}
#define VOUCH_LOOP128(value)                  \
  a128 old = swap128(p, 0, 0);                \
  for (;;) {                                  \
    const a128 seen = swap128(p, old, value); \
    if (seen == old) return old;              \
    old = seen;                               \
  }
#define VOUCH_FETCH128(op, value)                                   \
  a128 __tsan_atomic128_fetch_##op(volatile a128* p, a128 v, int) { \
    note(p, atomic_update, VOUCH_PLACE);                            \
    VOUCH_LOOP128(value)                                            \
  }
VOUCH_FETCH128(add, old + v)
VOUCH_FETCH128(sub, old - v)
VOUCH_FETCH128(and, old& v)
VOUCH_FETCH128(or, old | v)
VOUCH_FETCH128(xor, old ^ v)
VOUCH_FETCH128(nand, ~(old& v))
a128 __tsan_atomic128_exchange(volatile a128* p, a128 v, int) {
  note(p, atomic_update, VOUCH_PLACE);
  VOUCH_LOOP128(v)
}
void __tsan_atomic128_store(volatile a128* p, a128 v, int) {
  note(p, atomic_write, VOUCH_PLACE);
  a128 old = swap128(p, 0, 0);
  for (a128 seen; (seen = swap128(p, old, v)) != old;) old = seen;
}
a128 __tsan_atomic128_load(const volatile a128* p, int) {
  const a128 v = swap128(const_cast<volatile a128*>(p), 0, 0);
  note(p, atomic_read, VOUCH_PLACE);
  return v;
}
a128 __tsan_atomic128_compare_exchange_val(volatile a128* p, a128 expected, a128 v, int, int) {
  note(p, atomic_update, VOUCH_PLACE);
  return swap128(p, expected, v);
}
static int compare128(volatile a128* p, a128* expected, a128 v) {
  const a128 seen = swap128(p, *expected, v);
  const bool same = seen == *expected;
  if (!same) *expected = seen;
  return same;
}
int __tsan_atomic128_compare_exchange_strong(volatile a128* p, a128* expected, a128 v, int, int) {
  note(p, atomic_update, VOUCH_PLACE);
  return compare128(p, expected, v);
}
int __tsan_atomic128_compare_exchange_weak(volatile a128* p, a128* expected, a128 v, int, int) {
  note(p, atomic_update, VOUCH_PLACE);
  return compare128(p, expected, v);
}

}  // extern "C"

}  // namespace vouch::program
