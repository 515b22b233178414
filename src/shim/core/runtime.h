// State of the back end: one per process, one per thread.
//
// A guest's manners: memory comes from mmap, never from the application's heap; locks are taken
// only where something is seen for the first time; nothing here is visible to the application.

#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "event/proc.h"
#include "event/wire.h"
#include "record/ring.h"
#include "record/ring_writer.h"
#include "shim/front/front_back.h"

namespace vouch::shim {

struct SiteTable;
class Call;

// Stack of memory for statuses the user did not want; grows by mmap.
struct Scratch {
  std::byte* base = nullptr;
  std::uint64_t used = 0, size = 0;
};

inline constexpr std::uint32_t kPollWords = 64;  // a longer poll record is never coalesced

struct Thread {
  // Frame address of the innermost open call, 0 if none; bit 0: a record is being written right
  // now.
  std::uint64_t inside = 0;
  std::uint64_t slow = 0;  // each call has more to do than to be recorded: accesses come before it
  RingWriter ring;
  std::uint32_t number = 0;
  std::int32_t tid = 0;
  std::uint32_t tentative_bytes = 0;  // a poll's enter record waits behind the head ...
  Call* tentative_call = nullptr;     // ... of this call
  std::uint32_t filling = 0;          // words of the enter record whose arrays are being copied
  std::uint64_t lost = 0;             // calls not recorded since the last Meta::lost
  wire::LossReason lost_reason = wire::LossReason::none;
  std::uint32_t poll_words = 0;  // the last poll, header without number first
  std::uint64_t poll[kPollWords + 2];
  std::uint64_t polls_told = 0;    // of RingHeader::polls, by Meta::polls
  std::uint32_t poll_entered = 0;  // RingHeader::entered when the last poll was recorded
  Scratch scratch;
  std::uint64_t max_record = 0;  // longer ones go by blobs
  Proc checked = Proc::none;     // a checked function (memory.h) calls the wrapper of this ...
  const void* checked_caller = nullptr;  // ... for this caller
  std::uint32_t last_site = 0;           // of the call watched last, with --check-buffers
  // Once there are several threads (crowd.h):
  std::uint32_t entered = 0;     // number of the call entered last
  std::uint32_t told = 0;        // overlaps told
  bool came = false;             // has called MPI before
  bool probed = false;           // a probe since its last receive
  std::uint8_t holds[128] = {};  // by site
  Thread* next = nullptr;        // all threads, newest first
};

// What the threads of a process know of each other inside MPI (crowd.h).
struct Crowd {
  std::atomic<int> level;       // thread level provided, as the library numbers it
  std::atomic<bool> threaded;   // the program, or a library, has started a thread
  std::atomic<Thread*> newest;  // under MPI_THREAD_SERIALIZED: entered MPI last
  std::atomic<bool> met;        // under MPI_THREAD_SERIALIZED: two were seen inside at once
  std::atomic<std::uint64_t> held_ns, slept_ns;  // spent on holding back (crowd.cc)
};

struct Process {
  std::atomic<std::uint32_t> seq;    // of the record published last
  std::atomic<std::uint32_t> multi;  // there is a second thread: seq is taken atomically
  SiteTable* sites;                  // replaced when it grows
  std::atomic<std::uint32_t> recording;
  std::atomic<Thread*> threads;
  std::atomic<std::uint32_t> thread_count;
  pid_t pid;
  int connection;
  int agent;  // its process; 0: it cannot be seen
  int patience_ms;
  Bell* bell;
  std::uint64_t ring_bytes;
  std::int32_t rank_hint, size_hint;
  pthread_key_t key;
  bool can_switch;  // membarrier works, so `multi` can be turned on late
  Crowd crowd;
  FrontInfo front;
};
extern Process process;

// The process is still the one that attached, and the agent is there.
inline bool recording() { return process.recording.load(std::memory_order_relaxed) != 0; }

bool attach(const FrontInfo&);
void ending(int status, int immediate);
// It begins to end by itself, or may (RingHeader::ends_at). Needs a ring.
void note_end();
// The state of this thread, made at its first call; nullptr if it is not recorded.
Thread* this_thread_slow();
inline Thread* this_thread() {
  auto* t = static_cast<Thread*>(vouch_tls.thread);
  return t != nullptr ? t : this_thread_slow();
}
// A thread is about to be started, to run code of the program or of some library. True: the MPI
// library starts it, for itself.
bool thread_made(bool programs);
// MPI is up: do threads live that the program made before?
void tell_early_threads(Thread&);
// This is such a thread, and it begins or ends.
void helper(bool begins);
// This thread reads a clock or sleeps, or sets a timer: a signal handler may do so, too.
void time_asked(bool timer);
// None of them ends meanwhile.
void for_other_threads(Thread&, void (*look)(Thread& self, const Thread& other));
// Where another thread of the process is: in the program, inside MPI, or the MPI library's own.
enum class Standing : std::uint8_t { outside, inside, helper };
Standing standing_of(long tid);
// Gives up recording in this process forever.
void detach();

void lose(Thread&, wire::LossReason);

// While one thread records.
inline std::uint32_t take_seq_alone() {
  const std::uint32_t seq = process.seq.load(std::memory_order_relaxed) + 1;
  process.seq.store(seq, std::memory_order_relaxed);
  return seq;
}
inline std::uint32_t take_seq() {
  if (process.multi.load(std::memory_order_relaxed) == 0) return take_seq_alone();
  return process.seq.fetch_add(1, std::memory_order_relaxed) + 1;
}

// Zeroed pages, or nullptr.
void* pages(std::uint64_t bytes);
// A function of the MPI library that is in use.
void* function(const char* name);
// A variable of it: the one the program sees, which may be a copy in the executable.
void* variable(const char* name);

class Lock {
 public:
  explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~Lock() { pthread_mutex_unlock(&mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace vouch::shim
