// The epochs of one process on one window (MPI-4.1 12.5).
//
// Access epochs on a window must be disjoint, except that locks of different targets may be held at
// once; so must be exposure epochs, but an access and an exposure epoch may overlap. A fence opens
// an epoch only if data are moved before the next one: a fence that is followed by a lock or a
// start has opened nothing, and from then on data need those.
//
// Calls count when they are entered: what a correct program does inside an epoch, in any thread, it
// does after the opening call has returned and before the closing one is entered.
//
// Misses: a lock by one process of a window that another one exposes, since which came first is not
// known between processes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "event/proc.h"
#include "report/finding.h"

namespace vouch {

class Epochs {
 public:
  struct Since {  // a call
    Proc proc = Proc::none;
    Site site;
  };
  // Put into words only where it is a new finding.
  struct Fault {
    bool nested = false;    // else an epoch is missing
    const char* text = "";  // "{rank}" stands for the target, "{call}" for a procedure
    Since other{};          // a call that explains it; Proc::none: there is none
    const char* role = "";
    Cause why = Cause::none;
    int target = -1;
    Proc call = Proc::none;
    std::string message() const;
  };
  using Judged = std::optional<Fault>;

  void belong_to(int rank) { self_ = rank; }  // in the window; -1: not known
  Judged fence(bool no_precede, bool no_succeed, Since);
  Judged start(Since);
  Judged complete(Since);
  Judged post(Since);
  Judged wait(Since);
  Judged test() const;
  void tested() { posted_ = {}; }  // successfully
  Judged lock(int target, Since);
  Judged unlock(int target, Since);
  Judged lock_all(Since);
  Judged unlock_all(Since);
  Judged flush(int target) const;
  Judged flush_all() const;
  // Data go to or come from this target; `in_group`: it is in the group of the start. `request`:
  // the call has one, for which active target will not do.
  Judged move(int target, bool in_group, bool request, Since);
  Judged free() const;

  // Calls that opened what is still open. A fence after which no data were moved may be the last.
  std::vector<Since> open() const;

  bool started() const { return access_ == Access::start; }
  // Data were moved in the epoch of a fence, which is open.
  bool fenced() const { return access_ == Access::none && fence_ == Fence::used; }

 private:
  enum class Access : std::uint8_t { none, start, locks, lock_all };
  // passed: a start or lock came after it, before data were moved.
  enum class Fence : std::uint8_t { none, open, used, passed, closed };

  bool locked(int target) const {
    return access_ == Access::locks && static_cast<std::size_t>(target) < locks_.size() &&
           locks_[static_cast<std::size_t>(target)].proc != Proc::none;
  }
  Since opener() const;
  Judged opens(Since);
  Fault missing(const char* text, Cause why, int target = -1) const;
  static Fault nested(const char* text, Since other, const char* role = "opened here");
  Fault overlaps() const;
  Judged exposed(int target) const;
  Fault unfenced() const;
  void close(Since by);

  int self_ = -1;
  Access access_ = Access::none;
  Fence fence_ = Fence::none;
  Since fenced_, moved_;  // the fence; what was moved first since then
  Since passed_;          // what came after the fence
  Since since_;           // start or lock_all
  Since closed_;          // what closed the latest access epoch
  Since posted_;
  std::vector<Since> locks_;  // by target, up to the highest one ever locked
  int held_ = 0;              // locks
};

}  // namespace vouch
