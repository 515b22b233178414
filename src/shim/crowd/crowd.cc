#include "shim/crowd/crowd.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "shim/core/lib.h"
#include "shim/core/meta.h"
#include "shim/crowd/others.h"

namespace vouch::shim {

namespace {

constexpr std::uint8_t kCrowding[] = {
#include "crowding.inc"
};

constexpr std::uint64_t kSlice = kMillisecond / 2;
// Of another thread's time: the first ones have more, until that was in vain a few times.
constexpr std::uint64_t kLeast = 10 * kMillisecond, kFirst = 100 * kMillisecond;
constexpr std::uint64_t kFirstSleep = 2500 * kMillisecond;
constexpr std::uint64_t kLongest =
    3000 * kMillisecond;  // of any time: a machine that is overloaded
constexpr std::uint64_t kBudget =
    400 * kMillisecond;  // all calls of a process; later on 1 % of time
constexpr std::uint64_t kSleepBudget = 2500 * kMillisecond;  // while others sleep
constexpr int kLaterLooks = 40;  // how often a hold waits for one that began after it
constexpr std::uint8_t kPerSite = 2;
constexpr std::uint32_t kMostTold = 64;  // overlaps of one thread

bool serialized() {
  return process.crowd.level.load(std::memory_order_relaxed) == MPI_THREAD_SERIALIZED;
}
bool multiple() {
  return process.crowd.level.load(std::memory_order_relaxed) == MPI_THREAD_MULTIPLE;
}

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
// How often all patience with threads that ran, or slept, was in vain.
std::atomic<int> vain_runs, vain_sleeps;

bool in_budget(const std::atomic<std::uint64_t>& spent, std::uint64_t budget) {
  const std::uint64_t at = now();
  std::uint64_t first = first_hold.load(std::memory_order_relaxed);
  if (first == 0) first_hold.store(first = at, std::memory_order_relaxed);
  return spent.load(std::memory_order_relaxed) < budget + (at - first) / 100;
}

Patience patience(Hold how) {
  if (how != Hold::full) return {kLeast, 0};
  const int runs = vain_runs.load(std::memory_order_relaxed);
  const int sleeps = vain_sleeps.load(std::memory_order_relaxed);
  const std::uint64_t run = runs < 8 ? kFirst >> runs : 0;
  const bool may_sleep = sleeps < 8 && in_budget(process.crowd.slept_ns, kSleepBudget);
  return {run > kLeast ? run : kLeast, may_sleep ? kFirstSleep >> sleeps : 0};
}

}  // namespace

Crowding crowding(Proc proc) {
  return static_cast<Crowding>(kCrowding[static_cast<std::size_t>(proc)]);
}

Hold shall_hold(Thread& t, Proc proc, std::uint32_t site) {
  if (!process.crowd.threaded.load(std::memory_order_relaxed)) return Hold::none;
  const Crowding what = crowding(proc);
  if (what == Crowding::none) return Hold::none;
  Hold how = Hold::full;
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
      if (what != Crowding::receive && what != Crowding::send) return Hold::none;
      most = 1;
      budget = kBudget / 2;
      how = Hold::brief;
    }
  } else if (!serialized() || process.crowd.met.load(std::memory_order_relaxed)) {
    return Hold::none;
  }
  std::uint8_t& holds = t.holds[site % sizeof(t.holds)];
  if (holds >= most) return Hold::none;
  ++holds;
  return in_budget(process.crowd.held_ns, budget) ? how : Hold::none;
}

void hold(Thread& t, Proc proc, Hold how, std::uint32_t seq) {
  const int saved = errno;
  const std::uint64_t start = now();
  const bool yields = multiple() && crowding(proc) != Crowding::conflict;
  const HeldPlace place(t.tid, yields);
  const int before = holding.fetch_add(1, std::memory_order_relaxed);
  Others others(t.tid, patience(how));
  std::uint64_t slept = 0, with_sleepers = 0;
  int later = 0;
  // Twice, since a thread may sleep for a moment. One that was held back after us is not asleep: it
  // goes on first, unless our call conflicts with few others: then it is that one which waits.
  for (int quiet = 0; now() - start < kLongest;) {
    const bool company = holding.load(std::memory_order_relaxed) > before + 1;
    if (company && yields) break;
    const Others::Coming coming =
        company && later++ < kLaterLooks ? Others::Coming::runs : others.look(now() - start);
    quiet = coming != Others::Coming::none ? 0 : quiet + 1;
    if (quiet == 2) break;
    if (serialized() && process.crowd.met.load(std::memory_order_relaxed)) break;
    const timespec slice{0, static_cast<long>(kSlice)};
    ::syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &slice, nullptr);
    (coming == Others::Coming::asleep ? with_sleepers : slept) += kSlice;
  }
  holding.fetch_sub(1, std::memory_order_relaxed);
  if (others.in_vain_ran()) vain_runs.fetch_add(1, std::memory_order_relaxed);
  if (others.in_vain_slept()) vain_sleeps.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t waited = static_cast<std::uint64_t>(later + 1) * kSlice;
  const std::uint64_t spent = others.longest() > waited ? others.longest() : waited;
  process.crowd.held_ns.fetch_add(spent < slept ? spent : slept, std::memory_order_relaxed);
  process.crowd.slept_ns.fetch_add(with_sleepers, std::memory_order_relaxed);
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
