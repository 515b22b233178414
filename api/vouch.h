/* What a program knows about its own values, said to vouch.
 *
 *     MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm, MPI_STATUS_IGNORE);
 *     VOUCH_ASSERT(first == 1, first);              the condition, then the values it reads
 *     VOUCH_ASSUME(second > 0, second);             taken for granted, such as a branch taken
 *
 * `vouch run` reports an assertion that does not hold. `vouch predict` asks whether it holds in
 * every schedule. For that it must know which values came in messages: name, after the condition,
 * every variable that it reads, up to eight. A variable that a receive has filled stands for
 * whatever message the receive may get; every other one for its value in this run. What can be
 * carried to other schedules are conditions over integers, or over floating-point numbers that are
 * whole, with + - * and comparisons and && || !; of others only the truth in this run is known.
 *
 * Without vouch nothing happens, and the condition is not evaluated: it must have no effect. There
 * is nothing to link (before glibc 2.34: -ldl).
 *
 * C99 and C++11, gcc, clang and compatible ones. Fortran: vouch.f90.
 */
#ifndef VOUCH_H
#define VOUCH_H

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vouch_term {
  const void* address;
  unsigned long form; /* bytes, and what they are */
  long long value;
};
#define VOUCH_TERM_REAL_ 0x100ul
#define VOUCH_TERM_INEXACT_ 0x200ul

typedef int (*vouch_hook_type_)(unsigned kind, int holds, unsigned frames, const char* condition,
                                const char* names, unsigned count, const struct vouch_term* terms);

/* There when vouch is. */
static inline vouch_hook_type_ vouch_hook_(void) {
  static void* found;
  static int known;
  if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&found, dlsym((void*)0, "vouch_claimed"), __ATOMIC_RELAXED);
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
  }
  {
    union {
      void* object;
      vouch_hook_type_ function;
    } hook;
    hook.object = __atomic_load_n(&found, __ATOMIC_RELAXED);
    return hook.function;
  }
}

static inline struct vouch_term vouch_term_(const volatile void* address, unsigned long bytes,
                                            int whole, long long integer, double real) {
  struct vouch_term term;
  term.address = (const void*)address;
  term.form = bytes | (whole ? 0 : VOUCH_TERM_REAL_);
  term.value = integer;
  if (!whole) {
    /* Every whole number of this size is a double. */
    if (real >= -9007199254740992.0 && real <= 9007199254740992.0) term.value = (long long)real;
    if ((double)term.value != real) term.form |= VOUCH_TERM_INEXACT_;
  }
  return term;
}

#ifdef __cplusplus
}
#endif

#define VOUCH_ASSERT(...) VOUCH_CLAIM_(1u, __VA_ARGS__, )
#define VOUCH_ASSUME(...) VOUCH_CLAIM_(0u, __VA_ARGS__, )

/* Half of one is none, for integers. */
#define VOUCH_WHOLE_(x) ((1 + 0 * (x)) / 2 == 0)
#define VOUCH_TERM_(x)                                           \
  vouch_term_(&(x), sizeof(x) & 0xff, VOUCH_WHOLE_(x) ? 1 : 0,   \
              VOUCH_WHOLE_(x) ? (long long)(x) : 0, (double)(x))

/* The arguments, an empty one at the end. */
#define VOUCH_CLAIM_(kind, ...)                                                            \
  do {                                                                                     \
    if (vouch_hook_() != 0) {                                                              \
      const struct vouch_term vouch_terms_[] = {VOUCH_TERMS_(__VA_ARGS__){0, 0, 0}};       \
      (void)vouch_hook_()(kind, (VOUCH_FIRST_(__VA_ARGS__, 0)) ? 1 : 0, 0u,                \
                          VOUCH_TEXT_(VOUCH_FIRST_(__VA_ARGS__, 0)),                       \
                          VOUCH_NAMES_(__VA_ARGS__),                                       \
                          (unsigned)(sizeof vouch_terms_ / sizeof vouch_terms_[0]) - 1u,   \
                          vouch_terms_);                                                   \
    }                                                                                      \
  } while (0)

#define VOUCH_TEXT_(x) VOUCH_TEXT_OF_(x)
#define VOUCH_TEXT_OF_(x) #x
#define VOUCH_FIRST_(a, ...) a
#define VOUCH_NAMES_(a, ...) VOUCH_NAMES_OF_(__VA_ARGS__)
#define VOUCH_NAMES_OF_(...) #__VA_ARGS__

#define VOUCH_COUNT_(c, a1, a2, a3, a4, a5, a6, a7, a8, end, n, ...) n
#define VOUCH_JOIN_(a, b) VOUCH_JOIN_OF_(a, b)
#define VOUCH_JOIN_OF_(a, b) a##b
#define VOUCH_TERMS_(...)                                                                  \
  VOUCH_JOIN_(VOUCH_TERMS_, VOUCH_COUNT_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0)) \
  (__VA_ARGS__)
#define VOUCH_TERMS_0(c, e)
#define VOUCH_TERMS_1(c, a, e) VOUCH_TERM_(a),
#define VOUCH_TERMS_2(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_1(c, __VA_ARGS__)
#define VOUCH_TERMS_3(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_2(c, __VA_ARGS__)
#define VOUCH_TERMS_4(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_3(c, __VA_ARGS__)
#define VOUCH_TERMS_5(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_4(c, __VA_ARGS__)
#define VOUCH_TERMS_6(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_5(c, __VA_ARGS__)
#define VOUCH_TERMS_7(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_6(c, __VA_ARGS__)
#define VOUCH_TERMS_8(c, a, ...) VOUCH_TERM_(a), VOUCH_TERMS_7(c, __VA_ARGS__)

#endif
