// Notes that a thread reads a clock, sleeps or sets a timer: a loop that asks MPI again and again
// may then give up by itself (analysis/deadlock/livelock.cc).
//
// Each function passes its arguments on as they are, by a jump. What the MPI library does for
// itself is not counted (BackEnd::time_asked). Waiting until a moment (pthread_cond_timedwait) is
// not here: to name one a program must have read a clock.
//
// Misses: system calls and instructions of the program's own, such as rdtsc.

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern "C" __attribute__((visibility("hidden"))) void vouch_time_asked(bool timer);

namespace {

enum class About : bool { clock, timer };

// The next definition of a function. Found when the library is loaded, since a signal handler may
// call it and dlsym is not for those; before that by whoever comes first.
template <typename Function>
struct Next {
  const char* name;
  Function* function;

  Function* get() {
    Function* next = __atomic_load_n(&function, __ATOMIC_RELAXED);
    return next != nullptr ? next : find();
  }
  Function* find() {
    auto* next = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(&function, next, __ATOMIC_RELAXED);
    return next;
  }
};

}  // namespace

// X(about, result, name, parameters, arguments, exception specification)
#define VOUCH_TIME_FUNCTIONS(X)                                                                  \
  X(clock, int, clock_gettime, (clockid_t a, timespec * b), (a, b), noexcept)                    \
  X(clock, int, gettimeofday, (timeval * a, void* b), (a, b), noexcept)                          \
  X(clock, time_t, time, (time_t * a), (a), noexcept)                                            \
  X(clock, clock_t, clock, (), (), noexcept)                                                     \
  X(clock, clock_t, times, (tms * a), (a), noexcept)                                             \
  X(clock, int, getrusage, (__rusage_who_t a, rusage * b), (a, b), noexcept)                     \
  X(clock, int, timespec_get, (timespec * a, int b), (a, b), noexcept)                           \
  X(clock, int, nanosleep, (const timespec* a, timespec* b), (a, b), )                           \
  X(clock, int, clock_nanosleep, (clockid_t a, int b, const timespec* c, timespec* d),           \
    (a, b, c, d), )                                                                              \
  X(clock, int, usleep, (useconds_t a), (a), )                                                   \
  X(clock, unsigned, sleep, (unsigned a), (a), )                                                 \
  X(clock, int, thrd_sleep, (const timespec* a, timespec* b), (a, b), )                          \
  X(clock, int, poll, (pollfd * a, nfds_t b, int c), (a, b, c), )                                \
  X(clock, int, ppoll, (pollfd * a, nfds_t b, const timespec* c, const sigset_t* d),             \
    (a, b, c, d), )                                                                              \
  X(clock, int, select, (int a, fd_set* b, fd_set* c, fd_set* d, timeval* e), (a, b, c, d, e), ) \
  X(clock, int, pselect,                                                                         \
    (int a, fd_set* b, fd_set* c, fd_set* d, const timespec* e, const sigset_t* f),              \
    (a, b, c, d, e, f), )                                                                        \
  X(clock, int, epoll_wait, (int a, epoll_event* b, int c, int d), (a, b, c, d), )               \
  X(clock, int, epoll_pwait, (int a, epoll_event* b, int c, int d, const sigset_t* e),           \
    (a, b, c, d, e), )                                                                           \
  X(timer, unsigned, alarm, (unsigned a), (a), noexcept)                                         \
  X(timer, useconds_t, ualarm, (useconds_t a, useconds_t b), (a, b), noexcept)                   \
  X(timer, int, setitimer, (__itimer_which_t a, const itimerval* b, itimerval* c), (a, b, c),    \
    noexcept)                                                                                    \
  X(timer, int, timer_create, (clockid_t a, sigevent * b, timer_t * c), (a, b, c), noexcept)     \
  X(timer, int, timerfd_create, (clockid_t a, int b), (a, b), noexcept)

#define VOUCH_NEXT(about, result, name, parameters, arguments, specification) \
  static Next<result parameters> next_##name{#name, nullptr};
VOUCH_TIME_FUNCTIONS(VOUCH_NEXT)
#undef VOUCH_NEXT

extern "C" {
#define VOUCH_DEFINE(about, result, name, parameters, arguments, specification) \
  __attribute__((visibility("default"))) result name parameters specification { \
    vouch_time_asked(About::about == About::timer);                             \
    return next_##name.get() arguments;                                         \
  }
VOUCH_TIME_FUNCTIONS(VOUCH_DEFINE)
#undef VOUCH_DEFINE
}

__attribute__((constructor)) static void find_time_functions() {
#define VOUCH_FIND(about, result, name, parameters, arguments, specification) next_##name.find();
  VOUCH_TIME_FUNCTIONS(VOUCH_FIND)
#undef VOUCH_FIND
}
