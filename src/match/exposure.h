// Order by post, start, complete and wait (MPI-4.1 12.5.2), and by fences that only open.
//
// The k-th start of an origin that names a target belongs to the k-th post of that target that
// names the origin. What happens before the post happens before the accesses; if one of them
// fetches, it lies also before the return of complete. What happens before complete happens before
// the return of the wait.
//
// Records of the processes come in any order, so both are moments that are not known until the
// record has come.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "match/clocks.h"
#include "match/shared_window.h"

namespace vouch {

// A point of a process by which something is over: moments that count it lie behind it.
struct NotedPoint {
  std::uint32_t process = Moment::kNobody;
  std::uint32_t number = 0;
  std::uint32_t call = 0;  // of its process
  Proc proc = Proc::none;
  Site site;
  MomentRef knows;  // what its process knew of others when it called
  bool there() const { return process != Moment::kNobody; }
};

// A moment that is known once its record has come.
struct ExpectedMoment {
  MomentRef moment;
  bool told = false;
};

// One access epoch of an origin at a target.
struct Exposure {
  ExpectedMoment posted;     // the target has called post
  ExpectedMoment completed;  // the origin has called complete
  NotedPoint waited;         // the target has returned from wait
  bool fetches = false;
};
using ExposureRef = std::shared_ptr<Exposure>;

class Exposures {
 public:
  Exposures(Clocks& clocks, const SharedWindows& windows) : clocks_(clocks), windows_(windows) {}

  static bool sees_enter(Proc);
  static bool sees_leave(Proc);
  void enter(const Process&, const Call&);
  void leave(const Process&, const Call&, const Event& leave);
  // All records were read: what was not told never will be.
  void close();

  // The access epoch to this rank that the process has opened by start; nullptr: there is none.
  ExposureRef open_at(std::uint32_t process, std::uint64_t window, int target) const;
  // The call by which the target takes part in the process's latest fence, if that only opens; else
  // nothing: the fence orders by itself.
  MomentRef fence_of(std::uint32_t process, std::uint64_t window, int target);

 private:
  struct Side {  // of a process at a window
    std::vector<int> targets, origins;
    std::vector<ExposureRef> access, exposure;  // of those
    std::uint64_t fences = 0;
    bool opens_only = false;  // the latest fence
  };
  struct Pair {                    // of an origin and a target
    std::deque<ExposureRef> open;  // from number `first` on
    std::uint64_t first = 0, starts = 0, posts = 0;
  };
  struct Fences {  // of a member
    std::uint64_t count = 0;
    std::unordered_map<std::uint64_t, ExpectedMoment> entered;  // by number
  };
  struct Both {  // all sides of a window
    SharedWindowRef window;
    std::unordered_map<std::uint64_t, Pair> pairs;
    std::unordered_map<int, Fences> fences;  // by rank
  };
  static std::uint64_t key(int origin, int target) {
    return (static_cast<std::uint64_t>(origin) << 32) | static_cast<std::uint32_t>(target);
  }
  Side& side(const Process& process, std::uint64_t window) {
    if (process.index >= sides_.size()) sides_.resize(process.index + 1);
    return sides_[process.index][window];
  }
  Both& both(const SharedWindowRef&);
  void tell(ExpectedMoment&, std::uint32_t process);
  void never(ExpectedMoment&);
  const ExposureRef& at(Pair&, std::uint64_t number);
  void drop_done(Pair&);
  ExpectedMoment& entered(Fences&, std::uint64_t number);
  void open(const Process&, const WindowAct&, bool starts);
  void fence(const Process&, const WindowAct&);
  void free(const Process&, const WindowAct&);

  Clocks& clocks_;
  const SharedWindows& windows_;
  std::vector<std::unordered_map<std::uint64_t, Side>> sides_;  // by process and raw handle
  std::unordered_map<std::uint32_t, Both> both_;                // by number of the window
};

}  // namespace vouch
