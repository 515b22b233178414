// The clock of this rank as it comes to know it: by what is in its messages. A Lamport clock (LLCP)
// has one word, a vector clock (LVCP) one for each rank.
//
// A receive or probe from any source gets its number where it has surely matched: when it
// completes, or when one that was issued later completes with a message that it would have taken.
// In the second case its own message's clock is needed there, so it is waited for: it has matched,
// and so completes. A message that was received by something issued later, or by nobody, and whose
// clock is not greater than the number is *late*.

#pragma once

#include "record/band.h"
#include "shim/core/lib.h"

namespace vouch::shim {

struct Clock {
  std::uint32_t at[kMostBandWords];  // as many as are used

  void unset() { at[0] = kNoBandClock; }
  bool is_set() const { return at[0] != kNoBandClock; }
};
// Words of a clock in use; that of this rank.
extern int clock_words, clock_own;
inline std::uint64_t clock_bytes() {
  return sizeof(std::uint32_t) * static_cast<std::uint64_t>(clock_words);
}

// What a receive or probe asked for.
struct Asked {
  MPI_Comm comm;
  int source, tag;
  std::int32_t event;  // -1: it names its source
  std::uint32_t seq;
  bool probe;
};

// What it got.
struct Got {
  int source, tag;
  Clock clock;
};

struct Posted;

// A receive that is complete.
struct Taken {
  Asked asked;
  Got got;
  bool settled;    // it had surely matched before
  Posted* posted;  // still pending; nullptr: it is complete
};

class BandClock {
 public:
  void open(BandHeader*, int rank);
  const Clock& now() const { return now_; }
  void learn(const Clock&);
  void gap(BandGap);
  bool alone();  // false: several threads call MPI, and clocks are no more kept

  // The next receive or probe of the rank; source and tag as the program asked for them.
  Asked issue(MPI_Comm, int source, int tag, bool probe);
  // It may have to match before a later one completes.
  void pending(Posted*);
  void no_longer_pending(const Posted*);
  void take(const Taken&);  // complete() deals with what was taken since
  void complete();
  // A message that nobody has received.
  void left_over(MPI_Comm, const Got&);
  void sent() {
    if (part_ != nullptr) ++part_->rank.carried;
  }
  void finished() {
    if (part_ != nullptr) part_->rank.finished = 1;
  }

 private:
  // With the lock held:
  void merge(const Clock&);
  void forget(const Posted*);
  void find_sure();
  bool wait_for(Posted&);
  void settle(Taken&);
  void detect(const Taken&);
  void add_alternative(std::uint32_t row, const Got&);

  Clock now_{};
  std::uint32_t seq_ = 0;
  std::int32_t events_ = 0;
  BandPart* part_ = nullptr;
};
extern BandClock band_clock;

}  // namespace vouch::shim
