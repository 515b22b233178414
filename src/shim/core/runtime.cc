#include "shim/core/runtime.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <new>

#include "event/traits.h"
#include "record/agent_watch.h"
#include "record/handshake.h"
#include "record/ring_map.h"
#include "shim/access/access.h"
#include "shim/band/band.h"
#include "shim/core/call.h"
#include "shim/core/comms.h"
#include "shim/core/forked.h"
#include "shim/core/lib.h"
#include "shim/core/meta.h"
#include "shim/core/paths.h"
#include "shim/core/sites.h"
#include "shim/core/starter.h"
#include "shim/guided/guided.h"
#include "shim/memory/memory.h"

namespace vouch::shim {

Process process;
std::atomic<std::uint32_t> forked;

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<std::uint64_t> without_ring;  // calls of threads that got none
std::atomic<std::uint32_t> failures;
std::atomic<bool> ended;
RingHeader* first_ring;           // stays mapped
std::atomic<bool> timer_early;    // set before there was a ring
std::atomic<bool> early_threads;  // the program has started threads before MPI was up
std::atomic<bool> told_threaded;  // Meta::threaded

constexpr std::uint32_t kMaxFailures = 3;
constexpr std::uint64_t kMaxRecord = std::uint64_t{64} << 10;
constexpr int kBellTimeoutMs = 30'000;
constexpr int kHighDescriptor = 200;

// States of threads that ended, for those to come. They are never given back: another thread may be
// looking at one (Crowd::newest).
Thread* spare;

// Programs count on low descriptors: a close-all loop, select(), dup2 onto a fixed number.
int move_high(int fd) {
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
  if (high < 0) return fd;
  ::close(fd);
  return high;
}

std::int32_t number_in(const char* const* names) {
  for (; *names != nullptr; ++names) {
    const char* text = std::getenv(*names);
    if (text != nullptr && *text >= '0' && *text <= '9')
      return static_cast<std::int32_t>(std::atoi(text));
  }
  return -1;
}

bool membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

// From now on numbers are taken atomically. A thread that is about to take one the cheap way is
// waited for.
void go_multi() {
  if (process.multi.load(std::memory_order_relaxed) != 0) return;
  process.multi.store(1, std::memory_order_seq_cst);
  membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  for (Thread* t = process.threads.load(); t != nullptr; t = t->next) {
    while ((__atomic_load_n(&t->inside, __ATOMIC_ACQUIRE) & 1) != 0) ::sched_yield();
  }
}

RingMap make_ring(std::uint32_t thread) {
  const int fd = make_ring_memory(process.ring_bytes);
  const RingMap map = fd >= 0 ? map_ring(fd, process.ring_bytes) : RingMap{};
  const wire::Hello hello{
      wire::kHelloMagic, wire::kWireVersion, process.pid,       static_cast<std::int32_t>(thread),
      process.rank_hint, process.size_hint,  process.ring_bytes};
  if (map)
    map.header->tid.store(static_cast<std::int32_t>(::syscall(SYS_gettid)),
                          std::memory_order_relaxed);
  // The first one says at least that it is there.
  const bool sent = (map || thread == 0) && send_hello(process.connection, hello, map ? fd : -1);
  if (fd >= 0) ::close(fd);
  if (sent) return map;
  RingMap unsent = map;
  unmap_ring(unsent);
  return {};
}

Thread* make_thread(const RingMap& map, std::uint32_t number) {
  void* memory = spare;
  if (spare != nullptr) {
    spare = spare->next;
  } else if ((memory = pages(sizeof(Thread))) == nullptr) {
    return nullptr;
  }
  auto* t = new (memory) Thread;
  t->number = number;
  t->tid = static_cast<std::int32_t>(::syscall(SYS_gettid));
  t->ring.open(map, process.bell, process.connection, process.agent, process.patience_ms);
  t->max_record = kMaxRecord < map.bytes / 4 ? kMaxRecord : map.bytes / 4;
  if (number != 0) {
    go_multi();
    process.crowd.threaded.store(true, std::memory_order_relaxed);
  }
  t->slow = accesses_seen() ? 1 : 0;
  t->next = process.threads.load();
  process.threads.store(t);
  vouch_tls.thread = t;
  const std::uint64_t words[] = {number, 0};
  Busy busy(*t);
  write_meta(*t, wire::Meta::thread, words, 2);
  return t;
}

void tell_lost(Thread& t) {
  if (t.lost == 0) return;
  const std::uint64_t words[] = {t.lost, static_cast<std::uint64_t>(t.lost_reason)};
  if (write_meta(t, wire::Meta::lost, words, 2)) t.lost = 0;
}

// A thread ends. Its state stays in the list with a closed ring; the ring itself is given back.
void thread_ends(void* state) {
  auto* t = static_cast<Thread*>(state);
  if (!recording() || vouch_tls.thread != t) return;
  stop_accesses();
  {
    Busy busy(*t);
    tell_polls(*t);
    tell_lost(*t);
  }
  vouch_tls.thread = nullptr;
  t->ring.close();
  t->ring.detach();
  Lock lock(mutex);
  RingMap map = t->ring.map();
  if (map.header != first_ring) unmap_ring(map);
  if (t->scratch.base != nullptr) ::munmap(t->scratch.base, t->scratch.size);
  Thread* before = process.threads.load();
  if (before == t) {
    process.threads.store(t->next);
  } else {
    while (before->next != t) before = before->next;
    before->next = t->next;
  }
  t->inside = 0;
  t->next = spare;
  spare = t;
}

// The child of a fork is another process, which the agent does not know: it goes on unobserved.
void in_child() {
  process.recording.store(0);
  accesses_in_child();
  forked.store(mpi_users.load(std::memory_order_relaxed) != 0);
  vouch_tls.thread = nullptr;
  ::close(process.connection);
}

// Nobody may hold a lock of ours while the process is copied.
void before_fork() { pthread_mutex_lock(&mutex); }
void after_fork() { pthread_mutex_unlock(&mutex); }
void after_fork_in_child() {
  pthread_mutex_unlock(&mutex);
  in_child();
}

std::uint64_t wanted_ring_bytes() {
  const char* text = std::getenv("VOUCH_RING_BYTES");
  const std::uint64_t bytes = text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
  return fitting_ring_bytes(bytes >= 4096 && (bytes & (bytes - 1)) == 0 ? bytes : kRingBytes);
}

}  // namespace

void* pages(std::uint64_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

namespace {

bool meet_agent(const FrontInfo& front) {
  static constexpr const char* kRank[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                          "SLURM_PROCID", nullptr};
  static constexpr const char* kSize[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS",
                                          nullptr};
  process.front = front;
  process.pid = ::getpid();
  process.rank_hint = number_in(kRank);
  process.size_hint = number_in(kSize);
  process.ring_bytes = wanted_ring_bytes();
  process.patience_ms = patience_from_environment();
  if (!find_real_functions() || !make_site_table()) return false;
  start_paths();
  const int fd = connect_or_start(front.socket, process.patience_ms);
  if (fd < 0) return false;
  process.connection = move_high(fd);
  process.agent = peer_of(process.connection);
  const RingMap map = make_ring(0);
  first_ring = map.header;
  if (timer_early.load(std::memory_order_relaxed)) first_ring->timer_set.store(1);
  const int bell = map ? receive_bell(process.connection, kBellTimeoutMs, process.patience_ms) : -1;
  process.bell = bell >= 0 ? map_bell(bell) : nullptr;
  if (process.bell != nullptr) start_guiding(bell, *process.bell);
  if (bell >= 0) ::close(bell);
  process.can_switch = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  process.multi.store(process.can_switch ? 0 : 1);
  process.thread_count.store(1);
  if (process.bell == nullptr || pthread_key_create(&process.key, thread_ends) != 0 ||
      make_thread(map, 0) == nullptr) {
    ::close(process.connection);
    return false;
  }
  pthread_setspecific(process.key, vouch_tls.thread);
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
  process.recording.store(1);
  start_band();
  start_accesses(*static_cast<Thread*>(vouch_tls.thread), front.modules);
  start_checks(std::getenv(kChecksVariable) != nullptr, std::getenv(kValuesVariable));
  int up = 0, down = 0;
  real.initialized(&up);
  real.finalized(&down);
  if (up != 0 && down == 0) started(*static_cast<Thread*>(vouch_tls.thread));  // we came late
  return true;
}

}  // namespace

bool attach(const FrontInfo& front) {
  if (meet_agent(front)) return true;
  refuse_without_band();
  return false;
}

Thread* this_thread_slow() {
  if (!recording()) return nullptr;
  if (failures.load(std::memory_order_relaxed) < kMaxFailures) {
    Lock lock(mutex);
    const std::uint32_t number = process.thread_count.fetch_add(1);
    const RingMap map = make_ring(number);
    if (map) {
      if (Thread* t = make_thread(map, number)) {
        pthread_setspecific(process.key, t);
        return t;
      }
    }
    failures.fetch_add(1, std::memory_order_relaxed);
  }
  without_ring.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

// MPI is up in its parent, so the library would not notice. Only where the agent has to be told
// there are system calls.
void called_in_child(Proc proc, const void* caller) {
  // Allowed at any time, or harmless, and called often.
  if (has_trait(proc, Trait::always) || has_trait(proc, Trait::harmless)) return;
  if (forked.exchange(0) == 0) return;
  const ForkedCall call{kForkedMagic,
                        wire::kWireVersion,
                        process.pid,
                        process.rank_hint,
                        static_cast<std::uint64_t>(proc),
                        reinterpret_cast<std::uint64_t>(caller)};
  const int fd = connect_again(process.front.socket, process.patience_ms);
  if (fd < 0) return;
  if (tell_forked(fd, call, process.patience_ms) == kForkedAllowed) forked.store(1);
  ::close(fd);
}

namespace {

// Meta::threaded: 1 the program's, 0 a library's thread is about to be started, and this one is
// inside no call; 2 the program has started one before MPI was up.
void tell_threaded(Thread& t, std::uint64_t what) {
  const std::uint64_t words[] = {what};
  Busy busy(t);
  write_meta(t, wire::Meta::threaded, words, 1);
}

// From now on each return is recorded.
void turn_threaded() {
  Lock lock(mutex);
  go_multi();
  process.crowd.threaded.store(true, std::memory_order_relaxed);
}

// Threads of this process besides this one and those of the MPI library.
int other_threads() {
  int count = -1;
  const long tasks =
      ::syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks < 0) return 0;
  alignas(dirent64) char entries[2048];
  for (long size; (size = ::syscall(SYS_getdents64, tasks, entries, sizeof(entries))) > 0;) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      count += entry->d_name[0] != '.';
    }
  }
  ::syscall(SYS_close, tasks);
  for (const auto& place : first_ring->helpers) count -= place.load() != 0;
  return count;
}

}  // namespace

void tell_early_threads(Thread& t) {
  if (!early_threads.load(std::memory_order_relaxed) || other_threads() == 0) return;
  if (!told_threaded.exchange(true)) tell_threaded(t, 2);
  turn_threaded();
}

// Threads that the MPI library makes for itself are made inside a call. Those made by a thread that
// never called MPI are no news: it was made by somebody itself.
bool thread_made(bool programs) {
  auto* t = static_cast<Thread*>(vouch_tls.thread);
  if (vouch_tls.helper != 0 || (t != nullptr && t->inside != 0)) return true;
  const bool first = !process.crowd.threaded.load(std::memory_order_relaxed);
  if (programs && mpi_users.load(std::memory_order_relaxed) == 0) {
    early_threads.store(true, std::memory_order_relaxed);
  } else if (t != nullptr) {
    const bool news = programs && !told_threaded.exchange(true);
    // Calls that have returned so far may have no record of it.
    if (first || news) tell_threaded(*t, programs ? 1 : 0);
  }
  if (t != nullptr && first) turn_threaded();
  return false;
}

// One that finds no place counts as the program's: then less is found, and nothing is wrong.
void helper(bool begins) {
  vouch_tls.helper = begins ? 1 : 0;
  const auto tid = static_cast<std::int32_t>(::syscall(SYS_gettid));
  for (std::atomic<std::int32_t>& place : first_ring->helpers) {
    std::int32_t expected = begins ? 0 : tid;
    if (place.compare_exchange_strong(expected, begins ? tid : 0)) return;
  }
}

// What the library does for itself is not the program's. A count that two threads raise at once is
// raised all the same.
void time_asked(bool timer) {
  const auto* t = static_cast<const Thread*>(vouch_tls.thread);
  if (vouch_tls.helper != 0 || (t != nullptr && t->inside != 0)) return;
  if (!recording()) {
    if (timer) timer_early.store(true, std::memory_order_relaxed);
    return;
  }
  first_ring->time_asked.store(first_ring->time_asked.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
  if (timer) first_ring->timer_set.store(1, std::memory_order_relaxed);
}

void for_other_threads(Thread& t, void (*look)(Thread&, const Thread&)) {
  Lock lock(mutex);
  for (const Thread* other = process.threads.load(); other != nullptr; other = other->next) {
    if (other != &t) look(t, *other);
  }
}

// Without the lock: who asks may be inside MPI, and so counts as one that waits there; a thread
// that waited for a lock of ours meanwhile would look as if nobody were ever going to wake it.
// States of threads that have ended are used again and never unmapped, so that a walk that strays
// finds nothing worse than a wrong answer.
Standing standing_of(long tid) {
  for (const auto& place : first_ring->helpers) {
    if (place.load(std::memory_order_relaxed) == tid) return Standing::helper;
  }
  int steps = 0;
  for (const Thread* other = process.threads.load(); other != nullptr && steps < 4096;
       other = __atomic_load_n(&other->next, __ATOMIC_RELAXED), ++steps) {
    if (other->tid != tid) continue;
    return __atomic_load_n(&other->inside, __ATOMIC_RELAXED) != 0 ? Standing::inside
                                                                  : Standing::outside;
  }
  return Standing::outside;
}

void lose(Thread& t, wire::LossReason reason) {
  ++t.lost;
  t.lost_reason = reason;
}

// By the system itself, since the C library's function may be the program's or ours.
void note_end() {
  timespec now{};
  if (::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) != 0) return;
  first_ring->ends_at.store(static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                                static_cast<std::uint64_t>(now.tv_nsec),
                            std::memory_order_relaxed);
}

void ending(int status, int immediate) {
  if (!recording() || ::getpid() != process.pid || ended.exchange(true)) return;
  note_end();
  auto* t = static_cast<Thread*>(vouch_tls.thread);
  if (t == nullptr && (t = this_thread_slow()) == nullptr) return;
  if ((t->inside & 1) != 0) return;  // _exit from a signal handler amid a record
  if (accesses_seen()) write_accesses(*t);
  Busy busy(*t);
  tell_polls(*t);
  tell_lost(*t);
  const std::uint64_t missed = without_ring.load();
  const std::uint64_t lost[] = {missed, static_cast<std::uint64_t>(wire::LossReason::no_ring)};
  if (missed != 0) write_meta(*t, wire::Meta::lost, lost, 2);
  const std::uint64_t words[] = {number(status), static_cast<std::uint64_t>(immediate)};
  write_meta(*t, wire::Meta::exit, words, 2);
  if (pthread_mutex_trylock(&mutex) != 0) return;  // a thread comes or goes at this very moment
  for (Thread* each = process.threads.load(); each != nullptr; each = each->next)
    each->ring.close();
  pthread_mutex_unlock(&mutex);
}

const volatile std::uint32_t* yield_word() {
  return reinterpret_cast<const volatile std::uint32_t*>(&process.bell->yield);
}

}  // namespace vouch::shim
