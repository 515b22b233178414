#include "shim/crowd/others.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace vouch::shim {

namespace {

// Inside MPI: of its own time.
constexpr std::uint64_t kInside = 10 * kMillisecond;
// Who sleeps for longer at once is not waited for.
constexpr std::uint64_t kLongSleep = 2000 * kMillisecond;
// How often a thread goes back to sleep before it counts as one that asks in turns; sooner once it
// had some time for it.
constexpr std::uint32_t kTurns = 10, kFewTurns = 2;
constexpr std::uint64_t kTimeForTurns = 100 * kMillisecond;

constexpr std::uint64_t kYields = std::uint64_t{1} << 32;
std::atomic<std::uint64_t> held[64];  // tid, kYields

// The thread's entry in held, 0: none.
std::uint64_t held_entry(long tid) {
  for (const auto& place : held) {
    const std::uint64_t entry = place.load(std::memory_order_relaxed);
    if ((entry & ~kYields) == static_cast<std::uint64_t>(tid)) return entry;
  }
  return 0;
}

std::uint64_t nanoseconds(const timespec& t) {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(t.tv_nsec);
}

// A small file of a task. System calls by number: those of libc are cancellation points.
long read_file(int tasks, const char* name, const char* file, char* text, std::size_t size) {
  char path[48];
  const std::size_t length = std::strlen(name), more = std::strlen(file) + 1;
  if (length + more > sizeof(path)) return -1;
  std::memcpy(path, name, length);
  std::memcpy(path + length, file, more);
  const long fd = ::syscall(SYS_openat, tasks, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;  // ended
  const long got = ::syscall(SYS_read, fd, text, size - 1);
  ::syscall(SYS_close, fd);
  if (got >= 0) text[got] = '\0';
  return got;
}

// The letter in N/stat: behind the name, which ends with the last parenthesis.
char state_of(int tasks, const char* name) {
  char text[96];
  for (long i = read_file(tasks, name, "/stat", text, sizeof(text)) - 3; i >= 0; --i) {
    if (text[i] == ')') return text[i + 2];
  }
  return '?';
}

// "230 0x0 0x1 0x7ffe...": the system call a thread is in. false: none, or not to be seen.
bool system_call(int tasks, const char* name, std::uint64_t* words, int count) {
  char text[256];
  if (read_file(tasks, name, "/syscall", text, sizeof(text)) <= 0) return false;
  const char* at = text;
  for (int i = 0; i < count; ++i) {
    while (*at == ' ') ++at;
    const bool hex = at[0] == '0' && at[1] == 'x';
    if (hex) at += 2;
    std::uint64_t value = 0;
    const char* const begin = at;
    for (;; ++at) {
      const int digit = *at >= '0' && *at <= '9'          ? *at - '0'
                        : hex && *at >= 'a' && *at <= 'f' ? *at - 'a' + 10
                                                          : -1;
      if (digit < 0) break;
      value = value * (hex ? 16 : 10) + static_cast<std::uint64_t>(digit);
    }
    if (at == begin) return false;
    words[i] = value;
  }
  return true;
}

// What another thread has given to the system; it may be gone from its stack meanwhile.
template <typename T>
bool read_other(std::uint64_t address, T& to) {
  iovec here{&to, sizeof(T)}, there{reinterpret_cast<void*>(address), sizeof(T)};
  return ::syscall(SYS_process_vm_readv, ::syscall(SYS_getpid), &here, 1L, &there, 1L, 0L) ==
         static_cast<long>(sizeof(T));
}

// The thread sleeps until a time that is near, and waits for nothing else.
bool sleeps_for_a_while(int tasks, const char* name) {
  std::uint64_t words[6];
  if (!system_call(tasks, name, words, 6)) return false;
  timespec t;
  timeval limit;
  switch (words[0]) {
    case SYS_nanosleep:
      return read_other(words[1], t) && nanoseconds(t) <= kLongSleep;
    case SYS_clock_nanosleep: {
      if (!read_other(words[3], t)) return false;
      if ((words[2] & TIMER_ABSTIME) == 0) return nanoseconds(t) <= kLongSleep;
      timespec is;
      if (::clock_gettime(static_cast<clockid_t>(words[1]), &is) != 0) return false;
      return nanoseconds(t) <= nanoseconds(is) + kLongSleep;
    }
    case SYS_poll:
      return words[2] == 0 && static_cast<int>(words[3]) >= 0 &&
             words[3] * kMillisecond <= kLongSleep;
    case SYS_select:
      return words[1] == 0 && words[5] != 0 && read_other(words[5], limit) && limit.tv_sec <= 2;
    case SYS_pselect6:
      return words[1] == 0 && words[5] != 0 && read_other(words[5], t) &&
             nanoseconds(t) <= kLongSleep;
    default:
      return false;
  }
}

long number_in(const char* name) {
  long n = 0;
  for (; *name >= '0' && *name <= '9'; ++name) n = n * 10 + (*name - '0');
  return n;
}

// How long a thread has been on a processor.
std::uint64_t cpu_time(long tid) {
  timespec t;
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6);
  return ::clock_gettime(clock, &t) == 0 ? nanoseconds(t) : 0;
}

}  // namespace

std::uint64_t now() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return nanoseconds(t);
}

HeldPlace::HeldPlace(std::int32_t tid, bool yields) : place_(-1) {
  const std::uint64_t mine = static_cast<std::uint32_t>(tid) | (yields ? kYields : 0);
  for (int i = 0; i < 64; ++i) {
    std::uint64_t free = 0;
    if (!held[i].compare_exchange_strong(free, mine)) continue;
    place_ = i;
    return;
  }
}

HeldPlace::~HeldPlace() {
  if (place_ >= 0) held[place_].store(0, std::memory_order_relaxed);
}

Others::Coming Others::look(std::uint64_t at) {
  const long tasks =
      ::syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks < 0) return Coming::none;
  alignas(dirent64) char entries[2048];
  Coming found = Coming::none;
  for (long size; found != Coming::runs &&
                  (size = ::syscall(SYS_getdents64, tasks, entries, sizeof(entries))) > 0;) {
    for (long i = 0; i < size && found != Coming::runs;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + i);
      i += entry->d_reclen;
      const Coming one = look_at(static_cast<int>(tasks), entry->d_name, at);
      if (one > found) found = one;
    }
  }
  ::syscall(SYS_close, tasks);
  return found;
}

Others::Coming Others::look_at(int tasks, const char* name, std::uint64_t at) {
  const long tid = number_in(name);
  if (tid == 0 || tid == self_) return Coming::none;
  const char state = state_of(tasks, name);
  const bool running = state == 'R' || state == 'D';
  if (!running && state != 'S') return Coming::none;
  if (const std::uint64_t entry = held_entry(tid); entry != 0 && !running)
    return (entry & kYields) != 0 ? Coming::runs : Coming::none;
  const bool sleeps = !running && patience_.sleeps != 0 && sleeps_for_a_while(tasks, name);
  if (!running && !sleeps) return Coming::none;
  const std::uint64_t used = cpu_time(tid);
  Known* const thread = known(tid, used);
  if (thread == nullptr) return Coming::none;
  const std::uint64_t ran = used - thread->before;
  if (ran > longest_) longest_ = ran;
  if (sleeps && used != thread->last) ++thread->turns;
  thread->last = used;
  const Standing standing = standing_of(tid);
  if (standing == Standing::helper) return Coming::none;
  const bool inside = standing == Standing::inside;
  if (ran >= (inside && kInside < patience_.runs ? kInside : patience_.runs)) {
    vain_ran_ = vain_ran_ || !inside;
    return Coming::none;
  }
  if (running) return Coming::runs;
  if (inside || at >= patience_.sleeps ||
      thread->turns >= (at >= kTimeForTurns ? kFewTurns : kTurns)) {
    vain_slept_ = vain_slept_ || !inside;
    return Coming::none;
  }
  return Coming::asleep;
}

Others::Known* Others::known(long tid, std::uint64_t ran) {
  int i = 0;
  while (i < count_ && known_[i].tid != tid) ++i;
  if (i == count_) {
    if (count_ == kMost) return nullptr;
    known_[count_++] = {tid, ran, ran, 0};
  }
  return &known_[i];
}

}  // namespace vouch::shim
