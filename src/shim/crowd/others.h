// The other threads of the process while a call is held back: is one of them still on its way into
// MPI?
//
// - It can run: until it has run for as long as our patience with it, in its own time, so that a
//   busy machine makes no difference. One that is inside MPI has less of it: it may wait there for
//   what we hold back.
// - It sleeps until a time (nanosleep, a poll or select of nothing): nobody has to wake it, so it
//   comes by itself. Until it has slept for as long as our patience, or has woken up again and
//   again and gone back to sleep: then it waits for something, and asks for it in turns.
// - It waits for a word, a file, a child: it will not come before somebody acts.
// - It is held back itself: it has come, and goes on when it will.

#pragma once

#include <cstdint>

#include "shim/core/runtime.h"

namespace vouch::shim {

inline constexpr std::uint64_t kMillisecond = 1'000'000;
std::uint64_t now();

// Held threads, seen by who else is held. `yields`: it goes on as soon as another one is held.
class HeldPlace {
 public:
  HeldPlace(std::int32_t tid, bool yields);
  ~HeldPlace();
  HeldPlace(const HeldPlace&) = delete;
  HeldPlace& operator=(const HeldPlace&) = delete;

 private:
  int place_;
};

// How long to wait for one thread, in nanoseconds.
struct Patience {
  std::uint64_t runs, sleeps;
};

class Others {
 public:
  enum class Coming : std::uint8_t { none, asleep, runs };

  Others(long self, Patience patience) : self_(self), patience_(patience) {}
  // `at`: since the hold began.
  Coming look(std::uint64_t at);
  std::uint64_t longest() const { return longest_; }  // that one of them has run
  // One has used up our patience, and is not inside MPI.
  bool in_vain_ran() const { return vain_ran_; }
  bool in_vain_slept() const { return vain_slept_; }

 private:
  struct Known {
    long tid;
    std::uint64_t before, last;  // time on a processor
    std::uint32_t turns;         // seen asleep, and it has run since
  };
  Coming look_at(int tasks, const char* name, std::uint64_t at);
  Known* known(long tid, std::uint64_t ran);

  static constexpr int kMost = 64;
  const long self_;
  const Patience patience_;
  Known known_[kMost];
  int count_ = 0;
  std::uint64_t longest_ = 0;
  bool vain_ran_ = false, vain_slept_ = false;
};

}  // namespace vouch::shim
