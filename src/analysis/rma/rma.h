// Use of windows [W1-W6]: epochs, the memory at the target, flavours, types. Data races
// are not looked for here.
//
// Calls are judged when they are made. The memory of a window is told by all its processes, whose
// records come in any order: an access waits for its target's, or is judged when the window is
// gone.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "act/window_call.h"
#include "analysis/analysis.h"
#include "analysis/damage.h"
#include "analysis/rma/asserts.h"
#include "analysis/rma/epochs.h"
#include "analysis/rma/fenced.h"
#include "analysis/rma/memory.h"
#include "analysis/rma/signature.h"
#include "memory/region.h"

namespace vouch {

class Rma : public Analysis, public DamageUser {
 public:
  Rma(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void finish() override;

 private:
  // A wrong call about which nothing is told before its target has come.
  struct Fault {
    int target;
    std::size_t process;  // that made it
    Site site;
    Report report;
  };
  static constexpr int kAllTargets = -1;
  static constexpr std::size_t kFaultsKept = 64;
  // One window, seen from all its processes.
  struct Shared {
    std::uint64_t key = 0, comm = 0, number = 0;
    const Members* members = nullptr;
    std::map<int, WindowPart> parts;  // by rank, of whom something is known or asked
    std::vector<Fault> faults;
    FencedAccesses fenced;
    Asserts asserts;
    int gone = 0;            // processes that have freed it
    bool unchecked = false;  // and it was said
  };
  struct Attached {
    std::uint32_t times = 0;
    std::uint64_t end = 0;
    Site site;
  };
  // A handle of one process.
  struct Handle {
    Epochs epochs;
    const Members* start = nullptr;  // group of the start; nullptr: not known
    // What is open is not known any more, since a call was wrong or failed: no word about epochs.
    bool lost = false;
    std::uint64_t fences = 0;       // so far
    bool fence_is_barrier = false;  // the last one: it does not say MPI_MODE_NOPRECEDE
    Shared* shared = nullptr;       // nullptr: its processes are not known
    int rank = -1;
    std::map<std::uint64_t, Attached> attached;  // by address
    bool no_locks = false;                       // promised when it was made
  };
  // Windows made of a communicator.
  struct Made {
    std::uint32_t generation = 0;
    std::uint64_t count = 0;
  };
  struct Rank {
    std::unordered_map<std::uint64_t, Handle> handles;         // by raw handle
    std::unordered_map<std::uint64_t, Made> made;              // by communicator
    std::unordered_map<std::uint32_t, std::uint64_t> entered;  // by number of the open constructor
  };

  Rank& rank(const Process&);
  std::uint64_t key_of(std::uint64_t comm, const Members*, std::uint64_t number) const;
  void tell_memory(Process&, const Call&, const WindowCall&);
  void take_over(Shared& whole, Shared& half);
  void born(Process&, const Call&, const WindowCall&, const Event& leave);
  void gone(Shared&);
  void judge_epoch(Process&, Call&, const WindowCall&, const Window&, Handle&);
  Epochs::Judged advance(const Process&, const Call&, const WindowCall&, const Window&, Handle&);
  void judge_end(const Process&, const Call& finalize);
  void judge_locks(const Process&, const Call&, const WindowCall&, Handle&);
  void judge_asserts(const Process&, const Call&, const WindowCall&, Handle&);
  void tell(Shared&, const Asserts::Found&, Site);
  bool in_group(const Window&, const Handle&, int target) const;
  void judge_attach(Process&, Call&, const WindowCall&, const Window&, Handle&);
  void judge_promises(Shared&);
  void judge_no_locks(Process&, Call&, const WindowCall&, const Window&, const Handle&);
  void judge_flavour(Process&, Call&, const WindowCall&, const Window&, Handle&);
  void judge_memory(Process&, Call&, const WindowCall&, Handle&);
  void judge_types(Process&, Call&, const WindowCall&, Handle&);
  void judge_twice(Process&, Call&);
  void tell(const WindowPart&, const WindowAccess&);
  void hurt(const Process& origin, Site, const WindowPart&);
  void judge_waiting(Shared&, int target, bool final);
  void tell_faults(Shared&, int target);
  void conclude(Shared&);
  void not_checked(Site, const char* what, const char* why);
  void unchecked(Shared&, Site, const char* why);

  std::vector<Rank> ranks_;                                  // by process
  std::map<std::uint64_t, std::unique_ptr<Shared>> shared_;  // by identity of the window
  RmaSignatures signatures_;
  RegionTest test_;
};

}  // namespace vouch
