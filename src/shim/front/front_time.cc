// Notes that a thread reads a clock, sleeps, sets a timer or the handler of a signal, or looks at a
// file: a loop that asks MPI again and again may then end by itself
// (analysis/deadlock/livelock.cc).
//
// Each function passes its arguments on as they are, by a jump. What the MPI library does for
// itself is not counted (BackEnd::time_asked). Waiting until a moment (pthread_cond_timedwait) is
// not here: to name one a program must have read a clock.
//
// Misses: system calls and instructions of the program's own, such as rdtsc.

// <fcntl.h> is left out: the third argument of open is passed on whether it is there or not.
#include <dlfcn.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern "C" {
__attribute__((visibility("hidden"))) void vouch_time_asked(bool timer);
__attribute__((visibility("hidden"))) bool vouch_is_programs(const void* function);
}

namespace {

// A look at a clock or at the world outside; or something that may come at any time from now on.
enum class About : bool { look, timer };

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
#define VOUCH_TIME_FUNCTIONS(X)                                                                    \
  X(look, int, clock_gettime, (clockid_t a, timespec * b), (a, b), noexcept)                       \
  X(look, int, gettimeofday, (timeval * a, void* b), (a, b), noexcept)                             \
  X(look, time_t, time, (time_t * a), (a), noexcept)                                               \
  X(look, clock_t, clock, (), (), noexcept)                                                        \
  X(look, clock_t, times, (tms * a), (a), noexcept)                                                \
  X(look, int, getrusage, (__rusage_who_t a, rusage * b), (a, b), noexcept)                        \
  X(look, int, timespec_get, (timespec * a, int b), (a, b), noexcept)                              \
  X(look, int, nanosleep, (const timespec* a, timespec* b), (a, b), )                              \
  X(look, int, clock_nanosleep, (clockid_t a, int b, const timespec* c, timespec* d),              \
    (a, b, c, d), )                                                                                \
  X(look, int, usleep, (useconds_t a), (a), )                                                      \
  X(look, unsigned, sleep, (unsigned a), (a), )                                                    \
  X(look, int, thrd_sleep, (const timespec* a, timespec* b), (a, b), )                             \
  X(look, int, poll, (pollfd * a, nfds_t b, int c), (a, b, c), )                                   \
  X(look, int, ppoll, (pollfd * a, nfds_t b, const timespec* c, const sigset_t* d),                \
    (a, b, c, d), )                                                                                \
  X(look, int, select, (int a, fd_set* b, fd_set* c, fd_set* d, timeval* e), (a, b, c, d, e), )    \
  X(look, int, pselect,                                                                            \
    (int a, fd_set* b, fd_set* c, fd_set* d, const timespec* e, const sigset_t* f),                \
    (a, b, c, d, e, f), )                                                                          \
  X(look, int, epoll_wait, (int a, epoll_event* b, int c, int d), (a, b, c, d), )                  \
  X(look, int, epoll_pwait, (int a, epoll_event* b, int c, int d, const sigset_t* e),              \
    (a, b, c, d, e), )                                                                             \
  X(look, ssize_t, read, (int a, void* b, size_t c), (a, b, c), )                                  \
  X(look, ssize_t, __read_chk, (int a, void* b, size_t c, size_t d), (a, b, c, d), )               \
  X(look, ssize_t, readv, (int a, const iovec* b, int c), (a, b, c), )                             \
  X(look, ssize_t, pread, (int a, void* b, size_t c, off_t d), (a, b, c, d), )                     \
  X(look, ssize_t, pread64, (int a, void* b, size_t c, off64_t d), (a, b, c, d), )                 \
  X(look, ssize_t, recv, (int a, void* b, size_t c, int d), (a, b, c, d), )                        \
  X(look, ssize_t, recvfrom, (int a, void* b, size_t c, int d, sockaddr* e, socklen_t* f),         \
    (a, b, c, d, e, f), )                                                                          \
  X(look, ssize_t, recvmsg, (int a, msghdr* b, int c), (a, b, c), )                                \
  X(look, int, access, (const char* a, int b), (a, b), noexcept)                                   \
  X(look, int, faccessat, (int a, const char* b, int c, int d), (a, b, c, d), noexcept)            \
  X(look, int, stat, (const char* a, struct stat* b), (a, b), noexcept)                            \
  X(look, int, lstat, (const char* a, struct stat* b), (a, b), noexcept)                           \
  X(look, int, fstat, (int a, struct stat* b), (a, b), noexcept)                                   \
  X(look, int, fstatat, (int a, const char* b, struct stat* c, int d), (a, b, c, d), noexcept)     \
  X(look, int, stat64, (const char* a, struct stat64* b), (a, b), noexcept)                        \
  X(look, int, lstat64, (const char* a, struct stat64* b), (a, b), noexcept)                       \
  X(look, int, fstat64, (int a, struct stat64* b), (a, b), noexcept)                               \
  X(look, int, fstatat64, (int a, const char* b, struct stat64* c, int d), (a, b, c, d), noexcept) \
  X(look, int, statx, (int a, const char* b, int c, unsigned d, struct statx* e), (a, b, c, d, e), \
    noexcept)                                                                                      \
  X(look, int, open, (const char* a, int b, mode_t c), (a, b, c), )                                \
  X(look, int, open64, (const char* a, int b, mode_t c), (a, b, c), )                              \
  X(look, int, __open_2, (const char* a, int b), (a, b), )                                         \
  X(look, int, __open64_2, (const char* a, int b), (a, b), )                                       \
  X(look, int, openat, (int a, const char* b, int c, mode_t d), (a, b, c, d), )                    \
  X(look, int, openat64, (int a, const char* b, int c, mode_t d), (a, b, c, d), )                  \
  X(look, FILE*, fopen, (const char* a, const char* b), (a, b), )                                  \
  X(look, FILE*, fopen64, (const char* a, const char* b), (a, b), )                                \
  X(look, pid_t, waitpid, (pid_t a, int* b, int c), (a, b, c), )                                   \
  X(look, int, sem_trywait, (sem_t * a), (a), noexcept)                                            \
  X(timer, unsigned, alarm, (unsigned a), (a), noexcept)                                           \
  X(timer, useconds_t, ualarm, (useconds_t a, useconds_t b), (a, b), noexcept)                     \
  X(timer, int, setitimer, (__itimer_which_t a, const itimerval* b, itimerval* c), (a, b, c),      \
    noexcept)                                                                                      \
  X(timer, int, timer_create, (clockid_t a, sigevent * b, timer_t * c), (a, b, c), noexcept)       \
  X(timer, int, timerfd_create, (clockid_t a, int b), (a, b), noexcept)

// Signals that programs send each other; SIGINT and SIGTERM end a job, and the others are faults.
static bool is_message(int signal) {
  return signal == SIGHUP || signal == SIGUSR1 || signal == SIGUSR2 || signal == SIGALRM ||
         signal == SIGVTALRM || signal == SIGPROF || signal == SIGIO || signal == SIGCHLD ||
         signal >= SIGRTMIN;
}

static void handles(int signal, sighandler_t handler) {
  if (is_message(signal) && handler != SIG_DFL && handler != SIG_IGN &&
      vouch_is_programs(reinterpret_cast<const void*>(handler)))
    vouch_time_asked(true);
}

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

// The two that set handlers.
static Next<int(int, const struct sigaction*, struct sigaction*)> next_sigaction{"sigaction",
                                                                                 nullptr};
__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction* action,
                                                     struct sigaction* before) noexcept {
  if (action != nullptr) handles(number, action->sa_handler);
  return next_sigaction.get()(number, action, before);
}

static Next<sighandler_t(int, sighandler_t)> next_signal{"signal", nullptr};
__attribute__((visibility("default"))) sighandler_t signal(int number,
                                                           sighandler_t handler) noexcept {
  handles(number, handler);
  return next_signal.get()(number, handler);
}
}

__attribute__((constructor)) static void find_time_functions() {
  next_sigaction.find();
  next_signal.find();
#define VOUCH_FIND(about, result, name, parameters, arguments, specification) next_##name.find();
  VOUCH_TIME_FUNCTIONS(VOUCH_FIND)
#undef VOUCH_FIND
}
