#include "shim/band/band_clock.h"

#include <sched.h>

#include <ctime>

#include "shim/band/band_state.h"
#include "shim/core/paged.h"

namespace vouch::shim {

BandClock band_clock;
int clock_words = 1, clock_own = 0;

namespace {

constexpr std::time_t kMostSeconds = 10;  // that a receive which has matched may take

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Paged<Posted*> pending_receives;  // by issue
Paged<Taken> taken, sure;

bool accepts(const Asked& asked, MPI_Comm comm, const Got& got) {
  return asked.comm == comm && (asked.source == MPI_ANY_SOURCE || asked.source == got.source) &&
         (asked.tag == MPI_ANY_TAG || asked.tag == got.tag);
}

bool accepts(const BandEvent& e, MPI_Comm comm, const Got& got) {
  return e.comm == raw(comm) && (e.tag < 0 || e.tag == got.tag);
}

}  // namespace

void BandClock::open(BandHeader* header, int rank) {
  if (header == nullptr || rank < 0 || static_cast<std::uint32_t>(rank) >= header->ranks) return;
  part_ = band_part(header, rank);
  part_->rank.there = 1;
}

void BandClock::gap(BandGap why) {
  if (part_ != nullptr) part_->rank.gaps |= static_cast<std::uint32_t>(why);
}

bool BandClock::alone() {
  if (!process.crowd.threaded.load(std::memory_order_relaxed)) return true;
  gap(BandGap::threads);
  return false;
}

void BandClock::learn(const Clock& clock) {
  Lock lock(mutex);
  merge(clock);
}

void BandClock::merge(const Clock& clock) {
  if (!clock.is_set()) return gap(BandGap::no_clock);
  for (int i = 0; i < clock_words; ++i)
    if (clock.at[i] > now_.at[i]) now_.at[i] = clock.at[i];
  if (part_ != nullptr) part_->rank.clock = now_.at[clock_own];
}

Asked BandClock::issue(MPI_Comm comm, int source, int tag, bool probe) {
  Lock lock(mutex);
  return {comm, source, tag, source == MPI_ANY_SOURCE ? events_++ : -1, seq_++, probe};
}

void BandClock::pending(Posted* posted) {
  const Asked& a = posted->asked;
  Lock lock(mutex);
  // Where source and tag are named, who goes before it goes before whatever comes behind it too.
  if (a.source == MPI_ANY_SOURCE || a.tag == MPI_ANY_TAG) pending_receives.push(posted);
}

void BandClock::no_longer_pending(const Posted* posted) {
  Lock lock(mutex);
  forget(posted);
}

void BandClock::forget(const Posted* posted) {
  for (std::uint64_t i = 0; i < pending_receives.size(); ++i)
    if (pending_receives[i] == posted) return pending_receives.erase(i);
}

void BandClock::take(const Taken& one) {
  Lock lock(mutex);
  taken.push(one);
}

void BandClock::complete() {
  Lock lock(mutex);
  if (taken.size() == 0) return;
  if (alone()) {
    find_sure();
    for (Taken& t : sure) settle(t);
    for (const Taken& t : sure) detect(t);
  }
  taken.clear();
}

// Those taken, and the pending ones that have matched when these have; by issue.
void BandClock::find_sure() {
  sure.clear();
  const auto insert = [](const Taken& t) {
    sure.push(t);
    for (std::uint64_t i = sure.size() - 1; i > 0 && sure[i].asked.seq < sure[i - 1].asked.seq;
         --i) {
      const Taken later = sure[i - 1];
      sure[i - 1] = sure[i];
      sure[i] = later;
    }
  };
  for (const Taken& t : taken) insert(t);
  for (std::uint64_t i = 0; i < taken.size(); ++i) {  // grows
    const Taken t = taken[i];
    for (std::uint64_t k = 0; k < pending_receives.size(); ++k) {
      Posted& e = *pending_receives[k];
      if (e.asked.seq >= t.asked.seq) break;
      if (e.told || !accepts(e.asked, t.asked.comm, t.got) || !wait_for(e)) continue;
      const Taken one{e.asked, e.got, false, &e};
      insert(one);
      taken.push(one);
    }
  }
}

// It has matched: soon it is complete.
bool BandClock::wait_for(Posted& e) {
  const std::time_t begun = std::time(nullptr);
  for (int flag = 0;;) {
    MPI_Status status;
    if (plain.request_get_status(e.request, &flag, &status) != MPI_SUCCESS) return false;
    if (flag != 0) {
      if (cancelled(status)) return false;
      e.told = true;
      e.got = {status.MPI_SOURCE, status.MPI_TAG, e.clock_in};
      return true;
    }
    if (std::time(nullptr) - begun > kMostSeconds) {
      gap(BandGap::waited);
      return false;
    }
    ::sched_yield();
  }
}

void BandClock::settle(Taken& t) {
  if (t.settled) return;
  if (t.posted != nullptr) {
    t.posted->settled = true;
    forget(t.posted);
  }
  if (!t.asked.probe) merge(t.got.clock);
  if (t.asked.event < 0 || part_ == nullptr) return;
  BandRank& mine = part_->rank;
  if (mine.events == kMostBandEvents) return gap(BandGap::room);
  part_->events[mine.events] = {static_cast<std::uint32_t>(t.asked.event),
                                t.asked.seq,
                                raw(t.asked.comm),
                                t.got.source,
                                t.asked.tag == MPI_ANY_TAG ? -1 : t.asked.tag,
                                now_.at[clock_own],
                                t.asked.probe ? kNoBandClock : t.got.clock.at[clock_own],
                                0,
                                t.asked.probe};
  ++mine.events;
  mine.clock = ++now_.at[clock_own];
}

// Which of those issued before could have had this message? Their clocks grow.
void BandClock::detect(const Taken& t) {
  if (t.settled || t.asked.probe || part_ == nullptr || !t.got.clock.is_set()) return;
  for (std::uint32_t n = part_->rank.events; n-- > 0;) {
    const BandEvent& e = part_->events[n];
    if (e.clock < t.got.clock.at[clock_own]) return;
    if (e.seq < t.asked.seq && e.source != t.got.source && accepts(e, t.asked.comm, t.got))
      add_alternative(n, t.got);
  }
}

void BandClock::add_alternative(std::uint32_t row, const Got& got) {
  BandEvent& e = part_->events[row];
  BandRank& mine = part_->rank;
  for (std::uint32_t a = e.alternatives; a != 0; a = part_->alternatives[a - 1].next)
    if (part_->alternatives[a - 1].source == got.source) return;
  // An any-tag receive that would have it while an earlier one, which matched later, would too:
  // only if that one's message does not lie behind.
  for (std::uint32_t n = row + 1; e.tag < 0 && n < mine.events; ++n) {
    const BandEvent& q = part_->events[n];
    if (q.seq > e.seq || q.probe != 0 || q.comm != e.comm || (q.tag >= 0 && q.tag != got.tag))
      continue;
    if (q.message > e.clock) {
      ++mine.suppressed;
      return;
    }
  }
  if (mine.alternatives == kMostBandAlternatives) return gap(BandGap::room);
  part_->alternatives[mine.alternatives++] = {got.source, got.clock.at[clock_own], e.alternatives};
  e.alternatives = mine.alternatives;
}

void BandClock::left_over(MPI_Comm comm, const Got& got) {
  Lock lock(mutex);
  detect({{comm, got.source, got.tag, -1, seq_, false}, got, false, nullptr});
}

}  // namespace vouch::shim
