// What processes promise of a window by asserts, and who breaks it (MPI-4.1 12.5.5).
//
// MPI_MODE_NOPUT of a fence or post: nobody puts or accumulates to the caller's memory before the
// next fence, or the wait. MPI_MODE_NOCHECK of a start: the posts that match it say it too, and
// the other way round. MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED of a fence: all say it or none.
//
// Fences are collective, so the n-th is the same on all processes; the k-th post of a target that
// names an origin matches the origin's k-th start that names the target. Records of the processes
// come in any order: what comes first waits for its other side.
//
// Misses: MPI_MODE_NOSTORE; what others do to the window under a lock after a fence that says
// MPI_MODE_NOPUT; that a start with MPI_MODE_NOCHECK comes after the posts.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "event/proc.h"
#include "report/finding.h"

namespace vouch {

class Asserts {
 public:
  struct Use {  // a call
    WorldRank rank{};
    Proc proc = Proc::none;  // none: there is none
    Site site;
  };
  struct Says {
    bool no_put = false, no_check = false, no_precede = false, no_succeed = false;
  };
  // `by` does what `other` does not allow: it says that nobody will, or does not say the same.
  struct Broken {
    Cause why = Cause::none;
    Use by, other;
    const char* text = "";  // "{}" stands for the other's rank
    const char* role = "";
  };
  using Found = std::vector<Broken>;

  // Ranks are those of the window's group, of so many members; `number` counts the caller's fences
  // from 1.
  void fence(int members, int rank, std::uint64_t number, const Says&, const Use&, Found&);
  void post(int target, int origin, const Says&, const Use&, Found&);
  void start(int origin, int target, const Says&, const Use&, Found&);
  // Data that change the target's memory, in the epoch of a fence or of the latest start.
  void put_fenced(int target, std::uint64_t number, const Use&, Found&);
  void put_started(int origin, int target, const Use&, Found&);
  // Whom a post or start names is not known: those of the window are not compared any more.
  void give_up_groups();
  // Fences that not all processes have told, in the end.
  void conclude(Found&);
  // Something had to be forgotten; once.
  bool forgot() { return std::exchange(forgot_, false); }

 private:
  static constexpr std::size_t kKept = 4096;  // of a target, or of a pair, that wait
  struct Exposure {
    Use by;
    Says says;
  };
  struct Access {
    Use start;  // none: by fence
    Says says;
    std::vector<Use> puts;  // the first of each place
  };
  // Exposures of one target, by fence or to one origin, and accesses to them; the n-th meet.
  struct Line {
    std::uint64_t exposed = 0, accessed = 0;      // told so far; accesses: of starts
    std::map<std::uint64_t, Exposure> exposures;  // which an access to come can break
    std::map<std::uint64_t, Access> accesses;     // whose exposure is not told yet
  };
  // The lowest rank that says a thing, and the lowest that does not.
  struct Split {
    Use says, does_not;
  };
  struct Fence {
    int told = 0;
    std::array<Split, 2> splits;  // MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED
  };
  static void judge(const Exposure&, const Access&, Found&);
  static void judge_put(const Exposure&, const Use& put, Found&);
  static void judge_fence(const Fence&, Found&);
  void expose(Line&, std::uint64_t number, const Exposure&, Found&);
  void put(Line&, std::uint64_t number, const Use&, Found&);
  template <typename T>
  void limit(std::map<std::uint64_t, T>&);

  std::map<int, Line> fenced_;                   // by target
  std::map<std::pair<int, int>, Line> started_;  // by target and origin
  std::map<std::uint64_t, Fence> fences_;        // that not all processes have told
  bool forgot_ = false, no_groups_ = false;
};

}  // namespace vouch
