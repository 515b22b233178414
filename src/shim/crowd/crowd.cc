#include "shim/crowd/crowd.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "shim/core/lib.h"
#include "shim/core/meta.h"

namespace vouch::shim {

namespace {

constexpr std::uint8_t kCrowding[] = {
#include "crowding.inc"
};

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kSlice = kMillisecond / 2;
constexpr std::uint64_t kEnough = 10 * kMillisecond;  // of another thread's time
constexpr std::uint64_t kLongest =
    1000 * kMillisecond;  // of any time: a machine that is overloaded
constexpr std::uint64_t kBudget =
    200 * kMillisecond;          // all calls of a process; later on 1 % of time
constexpr int kLaterLooks = 40;  // how often a hold waits for one that began after it
constexpr std::uint8_t kPerSite = 2;
constexpr std::uint32_t kMostTold = 64;  // overlaps of one thread

std::uint64_t nanoseconds(const timespec& t) {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t now() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return nanoseconds(t);
}

bool serialized() {
  return process.crowd.level.load(std::memory_order_relaxed) == MPI_THREAD_SERIALIZED;
}
bool multiple() {
  return process.crowd.level.load(std::memory_order_relaxed) == MPI_THREAD_MULTIPLE;
}

// The letter in /proc/self/task/N/stat: behind the name, which ends with the last parenthesis.
char state_of(int tasks, const char* name) {
  char path[32], text[96];
  const std::size_t length = std::strlen(name);
  if (length + sizeof("/stat") > sizeof(path)) return '?';
  std::memcpy(path, name, length);
  std::memcpy(path + length, "/stat", sizeof("/stat"));
  const long fd = ::syscall(SYS_openat, tasks, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return '?';  // ended
  const long size = ::syscall(SYS_read, fd, text, sizeof(text));
  ::syscall(SYS_close, fd);
  for (long i = size - 3; i >= 0; --i) {
    if (text[i] == ')') return text[i + 2];
  }
  return '?';
}

bool is_running(char state) { return state == 'R' || state == 'D'; }

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

// The other threads of the process since a call is held back.
class Others {
 public:
  // Whether one of them is still on its way: it can run, and has not run long enough to have come.
  // Counted in its own time, so that a busy machine makes no difference. System calls by number:
  // those of libc are cancellation points.
  bool may_come() {
    const long tasks =
        ::syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (tasks < 0) return false;
    const long self = ::syscall(SYS_gettid);
    alignas(dirent64) char entries[2048];
    bool found = false;
    for (long size;
         !found && (size = ::syscall(SYS_getdents64, tasks, entries, sizeof(entries))) > 0;) {
      for (long at = 0; at < size && !found;) {
        const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
        at += entry->d_reclen;
        const long tid = number_in(entry->d_name);
        found = tid != 0 && tid != self &&
                is_running(state_of(static_cast<int>(tasks), entry->d_name)) && used(tid) < kEnough;
      }
    }
    ::syscall(SYS_close, tasks);
    return found;
  }
  std::uint64_t longest() const { return longest_; }  // that one of them has run

 private:
  std::uint64_t used(long tid) {
    const std::uint64_t at = cpu_time(tid);
    int i = 0;
    while (i < count_ && known_[i].tid != tid) ++i;
    if (i == count_) {
      if (count_ == kMost) return kEnough;
      known_[count_++] = {tid, at};
    }
    const std::uint64_t ran = at - known_[i].before;
    if (ran > longest_) longest_ = ran;
    return ran;
  }

  static constexpr int kMost = 64;
  struct Known {
    long tid;
    std::uint64_t before;
  };
  Known known_[kMost];
  int count_ = 0;
  std::uint64_t longest_ = 0;
};

void tell_inside(Thread& t, const Thread& other, std::uint32_t call) {
  if (t.told == kMostTold) return;
  ++t.told;
  Busy busy(t);
  const std::uint64_t words[] = {other.number, call};
  write_meta(t, wire::Meta::inside, words, 2);
}

// Not one that is just coming or going: it will see us, or is as good as gone.
void look_at(Thread& t, const Thread& other) {
  const std::uint64_t inside = __atomic_load_n(&other.inside, __ATOMIC_ACQUIRE);
  if (inside == 0 || (inside & 1) != 0) return;
  const std::uint32_t call = __atomic_load_n(&other.entered, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&other.inside, __ATOMIC_ACQUIRE) != inside) return;
  tell_inside(t, other, call);
  process.crowd.met.store(true, std::memory_order_relaxed);
}

void look_at_all(Thread& t) {
  for_other_threads(t, [](Thread& me, const Thread& other) { look_at(me, other); });
}

std::atomic<std::uint64_t> first_hold;
std::atomic<int> holding;  // threads that are held back now

// What may be spent on holding back is left.
bool in_budget(std::uint64_t budget) {
  const std::uint64_t at = now();
  std::uint64_t first = first_hold.load(std::memory_order_relaxed);
  if (first == 0) first_hold.store(first = at, std::memory_order_relaxed);
  return process.crowd.held_ns.load(std::memory_order_relaxed) < budget + (at - first) / 100;
}

}  // namespace

Crowding crowding(Proc proc) {
  return static_cast<Crowding>(kCrowding[static_cast<std::size_t>(proc)]);
}

bool shall_hold(Thread& t, Proc proc, std::uint32_t site) {
  if (!process.crowd.threaded.load(std::memory_order_relaxed)) return false;
  const Crowding what = crowding(proc);
  if (what == Crowding::none) return false;
  std::uint8_t most = kPerSite;
  std::uint64_t budget = kBudget;
  if (multiple()) {
    const bool probed = t.probed, fresh = t.number != 0 && !t.came;
    t.came = true;
    if (what == Crowding::receive) t.probed = false;
    if (what == Crowding::probe) t.probed = true;
    // The first call of a thread may meet MPI_Finalize, or the end of what it uses.
    const bool likely = what == Crowding::conflict || (what == Crowding::receive && probed) ||
                        ((what == Crowding::plain || what == Crowding::send) && fresh);
    if (!likely) {
      // Messages whose order is open are only worth a note: once a site, and not the last time.
      if (what != Crowding::receive && what != Crowding::send) return false;
      most = 1;
      budget = kBudget / 2;
    }
  } else if (!serialized() || process.crowd.met.load(std::memory_order_relaxed)) {
    return false;
  }
  std::uint8_t& holds = t.holds[site % sizeof(t.holds)];
  if (holds >= most) return false;
  ++holds;
  return in_budget(budget);
}

void hold(Thread& t, std::uint32_t seq) {
  const int saved = errno;
  const std::uint64_t start = now();
  const int before = holding.fetch_add(1, std::memory_order_relaxed);
  Others others;
  std::uint64_t slept = 0;
  int later = 0;
  // Twice, since a thread may sleep for a moment. One that was held back after us is not asleep: it
  // goes on first.
  for (int quiet = 0; now() - start < kLongest; slept += kSlice) {
    const bool waits =
        holding.load(std::memory_order_relaxed) > before + 1 && later++ < kLaterLooks;
    quiet = waits || others.may_come() ? 0 : quiet + 1;
    if (quiet == 2) break;
    if (serialized() && process.crowd.met.load(std::memory_order_relaxed)) break;
    const timespec slice{0, static_cast<long>(kSlice)};
    ::syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &slice, nullptr);
  }
  holding.fetch_sub(1, std::memory_order_relaxed);
  const std::uint64_t waited = static_cast<std::uint64_t>(later + 1) * kSlice;
  const std::uint64_t spent = others.longest() > waited ? others.longest() : waited;
  process.crowd.held_ns.fetch_add(spent < slept ? spent : slept, std::memory_order_relaxed);
  Busy busy(t);
  const std::uint64_t words[] = {seq};
  write_meta(t, wire::Meta::issued, words, 1);
  errno = saved;
}

void look_around(Thread& t, Proc proc) {
  if (!process.crowd.threaded.load(std::memory_order_relaxed)) return;
  if (proc == Proc::finalize) return look_at_all(t);
  // The one that came before me must have left. If it has, but one before it has not, then it has
  // noticed that itself.
  if (!serialized() || crowding(proc) == Crowding::none) return;
  const Thread* before = process.crowd.newest.exchange(&t);
  if (before != nullptr && before != &t) look_at(t, *before);
}

}  // namespace vouch::shim
