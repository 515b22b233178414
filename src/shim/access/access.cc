#include "shim/access/access.h"

#include <sched.h>
#include <sys/mman.h>

#include "shim/access/lane.h"
#include "shim/core/meta.h"
#include "shim/core/sites.h"

namespace vouch::shim {

namespace {

std::atomic<std::uint32_t> gate;  // taken by whoever looks at lanes or at what is watched
WatchedMemory watched;
AccessLane* lanes;
AccessLane* spare;  // of threads that have ended
AccessModule* const* modules;
std::atomic<bool> seen;
std::uint64_t told_low, told_span;  // by the modules
pthread_key_t ends;

void lock() {
  while (gate.exchange(1, std::memory_order_acquire) != 0) ::sched_yield();
}
void unlock() { gate.store(0, std::memory_order_release); }

// A signal handler of the program that comes in between finds its thread busy and goes on.
class Inside {
 public:
  Inside() : before_(vouch_tls.access_busy) {
    vouch_tls.access_busy = 1;
    lock();
  }
  ~Inside() {
    unlock();
    vouch_tls.access_busy = before_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  std::uint32_t before_;
};

void record(Thread& t, std::uint64_t place, AccessPattern pattern) {
  pattern.site = find_site(t, reinterpret_cast<const void*>(place)).number();
  std::uint64_t words[kMostAccessWords];
  const std::uint32_t count = pack(pattern, words);
  if (!write_meta(t, wire::Meta::access, words, count)) lose(t, wire::LossReason::agent_gone);
}

void spill(void* context, const PlacedPattern* patterns, std::uint32_t count) {
  auto* t = static_cast<Thread*>(context);
  if (t == nullptr) return;  // this_thread() has counted it as a thread without ring
  Busy busy(*t);
  for (std::uint32_t i = 0; i < count; ++i) record(*t, patterns[i].place, patterns[i].pattern);
}

AccessLane* make_lane(AccessModule* module, AccessRun** runs) {
  auto* lane = spare;
  if (lane != nullptr)
    spare = lane->next;
  else
    lane = static_cast<AccessLane*>(pages(sizeof(AccessLane)));
  if (lane == nullptr) return nullptr;
  lane->begin(module, runs, &vouch_tls);
  lane->next = lanes;
  lanes = lane;
  pthread_setspecific(ends, lane);
  return lane;
}

void drain_own() {
  for (AccessLane* lane = lanes; lane != nullptr; lane = lane->next)
    if (lane->owner() == &vouch_tls) lane->drain(true, spill, vouch_tls.thread);
}

// An atomic access has a place among the others: those before it are recorded, then it.
void atomic(AccessLane& lane, std::uint64_t address, std::uint64_t bytes, wire::AccessKind kind,
            std::uint64_t place) {
  // A loop that waits for a value asks again and again: the same answer is one record.
  Tls& tls = vouch_tls;
  const bool again = kind == wire::AccessKind::atomic_read && tls.access_place == place &&
                     tls.access_address == address && lane.idle();
  tls.access_place = place;
  tls.access_address = address;
  if (again) return;
  drain_own();
  const PlacedPattern pattern{place, {.kind = kind, .address = address, .bytes = bytes}};
  spill(tls.thread, &pattern, 1);
}

// Whether what this thread does is to be noted, and its ring, if it has one.
class Entry {
 public:
  Entry(AccessRun** runs, bool at_once) {
    Tls& tls = vouch_tls;
    if (!recording() || tls.access_busy != 0 || tls.helper != 0) return;
    thread_ = static_cast<Thread*>(tls.thread);
    if (thread_ != nullptr && thread_->inside != 0) return;  // in a callback
    wanted_ = true;
    // A thread that never calls MPI has a ring only if its accesses would not wait for the next
    // call of another thread. Not behind the gate: making one waits for threads that may wait
    // there.
    if (thread_ == nullptr && (at_once || (*runs != nullptr && AccessLane::of(*runs)->full())))
      thread_ = this_thread();
  }
  bool wanted() const { return wanted_; }
  Thread* thread() const { return thread_; }

 private:
  Thread* thread_ = nullptr;
  bool wanted_ = false;
};

AccessLane* lane_of(AccessModule* module, AccessRun** runs, Thread* t) {
  if (*runs != nullptr) return AccessLane::of(*runs);
  AccessLane* lane = make_lane(module, runs);
  if (lane == nullptr && t != nullptr) lose(*t, wire::LossReason::no_ring);
  return lane;
}

void hit(AccessModule* module, AccessRun** runs, std::uint64_t address, std::uint64_t bytes,
         wire::AccessKind kind, std::uint64_t place) {
  Entry entry(runs, kind >= wire::AccessKind::atomic_read);
  if (!entry.wanted()) return;
  Thread* t = entry.thread();
  Inside inside;
  AccessLane* lane = lane_of(module, runs, t);
  if (lane == nullptr) return;
  std::uint64_t low, span;
  if (!watched.meets(address, bytes, low, span))
    lane->outside(place, low, span, spill, t);
  else if (kind >= wire::AccessKind::atomic_read)
    atomic(*lane, address, bytes, kind, place);
  else
    lane->touch(address, bytes, kind, place, spill, t);
}

void loop(AccessModule* module, AccessRun** runs, const AccessPattern& pattern,
          std::uint64_t place) {
  Entry entry(runs, false);
  if (!entry.wanted()) return;
  Inside inside;
  AccessLane* lane = lane_of(module, runs, entry.thread());
  if (lane == nullptr) return;
  const AccessHull hull = hull_of(pattern);
  std::uint64_t low, span;
  if (!watched.meets(hull.low, hull.high - hull.low, low, span))
    lane->outside(place, low, span, spill, entry.thread());
  else
    lane->loop(pattern, place, spill, entry.thread());
}

// In this order: who reads it meanwhile sees nothing watched, or what was or is.
void tell_modules() {
  for (AccessModule* m = *modules; m != nullptr; m = m->next) {
    if (m->version != kAccessVersion) continue;
    __atomic_store_n(&m->span, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&m->hit, &hit, __ATOMIC_RELEASE);
    __atomic_store_n(&m->loop, &loop, __ATOMIC_RELEASE);
    __atomic_store_n(&m->low, told_low, __ATOMIC_RELEASE);
    __atomic_store_n(&m->span, told_span, __ATOMIC_RELEASE);
  }
}

void tell_module(Thread& t, const AccessModule& module) {
  Place place;
  Busy busy(t);
  if (module.version != kAccessVersion || !place_of(t, module.self, place)) return;
  const std::uint64_t words[] = {place.module, module.units};
  write_meta(t, wire::Meta::instrumented, words, 2);
}

void thread_ends(void*) { stop_accesses(); }

}  // namespace

bool accesses_seen() { return seen.load(std::memory_order_relaxed); }

void start_accesses(Thread& t, AccessModule* const* list) {
  modules = list;
  if (*list == nullptr || pthread_key_create(&ends, thread_ends) != 0) return;
  for (const AccessModule* m = *list; m != nullptr; m = m->next) tell_module(t, *m);
  seen.store(true);
  for (Thread* each = process.threads.load(); each != nullptr; each = each->next) each->slow = 1;
  Inside inside;
  tell_modules();
}

void access_module(AccessModule* module, bool comes) {
  if (!recording() || (!accesses_seen() && !comes)) return;
  auto* t = this_thread();
  if (t == nullptr) return;
  if (!accesses_seen()) return start_accesses(*t, process.front.modules);
  if (comes) tell_module(*t, *module);
  Inside inside;
  if (comes) return tell_modules();
  for (AccessLane* lane = lanes; lane != nullptr; lane = lane->next) {
    if (lane->module() != module) continue;
    lane->orphan();
    lane->drain(true, spill, t);
  }
}

void write_accesses(Thread& t) {
  Inside inside;
  for (AccessLane** link = &lanes; *link != nullptr;) {
    AccessLane* lane = *link;
    if (!lane->idle()) lane->drain(lane->owner() == &vouch_tls, spill, &t);
    if (lane->orphaned()) {
      *link = lane->next;
      lane->next = spare;
      spare = lane;
    } else {
      link = &lane->next;
    }
  }
  vouch_tls.access_place = 0;
}

void stop_accesses() {
  if (!accesses_seen() || !recording()) return;
  {
    Inside inside;
    for (AccessLane* lane = lanes; lane != nullptr; lane = lane->next) {
      if (lane->owner() != &vouch_tls || lane->orphaned()) continue;
      if (vouch_tls.thread != nullptr) lane->drain(true, spill, vouch_tls.thread);
      lane->orphan();
    }
  }
  vouch_tls.access_busy = 1;  // what it still does is not seen
}

void accesses_in_child() {
  if (!accesses_seen()) return;
  seen.store(false);
  told_low = told_span = 0;
  tell_modules();
}

Watching::Watching() : busy_(vouch_tls.access_busy) {
  vouch_tls.access_busy = 1;
  lock();
}

Watching::~Watching() {
  if (watched.low() != told_low || watched.span() != told_span) {
    told_low = watched.low();
    told_span = watched.span();
    tell_modules();
  }
  for (AccessLane* lane = lanes; lane != nullptr; lane = lane->next) lane->forget_outside();
  unlock();
  vouch_tls.access_busy = busy_;
}

WatchedMemory* Watching::operator->() const { return &watched; }

// The library has accepted the call, so it may be asked about the type.
void Hull::add(const void* buffer, std::int64_t displacement, std::int64_t count,
               MPI_Datatype type) {
  const std::uint64_t at = buffer_address(buffer);
  if (count <= 0 || at >= wire::kBufferAutomatic) return;
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  if (real.type_get_extent(type, &lower, &extent) != MPI_SUCCESS ||
      real.type_get_true_extent(type, &true_lower, &true_extent) != MPI_SUCCESS)
    return;
  const std::int64_t last = (count - 1) * static_cast<std::int64_t>(extent);
  const std::int64_t from = displacement + true_lower + (last < 0 ? last : 0);
  const std::int64_t to = displacement + true_lower + true_extent + (last > 0 ? last : 0);
  if (to <= from) return;
  const std::uint64_t first = at + static_cast<std::uint64_t>(from);
  const std::uint64_t end = at + static_cast<std::uint64_t>(to);
  if (high == low) {
    low = first;
    high = end;
    return;
  }
  low = first < low ? first : low;
  high = end > high ? end : high;
}

void Hull::add_at(const void* buffer, std::int64_t displacement, std::int64_t count,
                  MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  if (count > 0 && real.type_get_extent(type, &lower, &extent) == MPI_SUCCESS)
    add(buffer, displacement * static_cast<std::int64_t>(extent), count, type);
}

}  // namespace vouch::shim
