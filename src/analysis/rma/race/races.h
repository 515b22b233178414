// Data races of one-sided communication, docs/design/015-one-sided-races.md [W7-W12].
//
// Each operation gives an access at its origin and one at its target; buffers of other calls and,
// of instrumented programs, loads and stores are accesses, too. What completes an access ends it.
// An access that comes is compared with those that are there and touch its bytes: if they conflict,
// do not exclude each other by locks and neither is over before the other begins, they race
// (findings.h).
//
// Records of the processes come in any order and nothing here depends on it: an access is compared
// once it is known what happens before it (Start::known) and where it is.
//
// Misses: operations that were pending when their memory became part of a window.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "act/act.h"
#include "act/window_act.h"
#include "analysis/analysis.h"
#include "analysis/meta_listener.h"
#include "analysis/repeats.h"
#include "analysis/rma/race/findings.h"
#include "analysis/rma/race/memory_order.h"
#include "analysis/rma/race/table.h"
#include "event/plan_table.h"
#include "match/clocks.h"
#include "match/exposure.h"
#include "match/operation.h"
#include "match/shared_window.h"
#include "memory/access.h"

namespace vouch {

class OneSidedRaces : public Analysis,
                      public MatchObserver,
                      public ActListener,
                      public MetaListener,
                      public Repeats {
 public:
  OneSidedRaces(World& world, Sink& sink)
      : Analysis(world, sink), table_(memory_), findings_(world, sink, table_, memory_) {}
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void finish() override;
  void on_clocks(Clocks& clocks) override { clocks_ = &clocks; }
  void on_windows(SharedWindows& windows, Exposures& exposures) override {
    windows_ = &windows;
    exposures_ = &exposures;
  }
  WantsActs wants_acts(Proc) const override;
  void on_enter_acts(Process&, Call&, std::span<const Act>) override;
  void on_leave_acts(Process&, Call&, const Event& leave, std::span<const Act>) override;
  bool at_rest() override;

  void on_access(Process&, const Event& meta) override;

 private:
  // The program itself has touched this memory: of instrumented programs (touches.cc).
  void touch(Process&, const Event&, const Region&, rma::Touches, Site);
  // It is instrumented: what it touches is told.
  void sees_touches(const Process&);
  // A one-sided operation until it is complete at its target.
  struct Operation {
    std::uint32_t call = 0;
    int target = -1;
    bool gets = false, fetches = false;
    bool over_here = false;
    std::vector<rma::AccessId> origins;
    rma::AccessId at_target = 0;
  };
  struct Lock {
    bool exclusive = false;
    std::shared_ptr<rma::Tick> released;  // 0: not yet
    std::set<int> shown;                  // at these targets: it was granted
  };
  // A process at a window.
  struct Epochs {
    SharedWindowRef window;
    int rank = -1;
    bool lost = false;          // a call was wrong: what is complete is not known any more
    bool all = false;           // lock_all
    std::map<int, Lock> locks;  // by target
    Lock of_all;                // lock_all
    // Of the loads since the last call: whether the next one is MPI_Win_sync.
    std::shared_ptr<bool> polls;
    std::vector<Operation> operations;
  };
  // An access to memory of which its owner has not told where it is.
  struct Unplaced {
    rma::AccessId id = 0;
    SharedWindowRef window;
    int owner = 0;  // rank in it
    // By a displacement in units of the owner; or, of loads and stores, a region that starts where
    // the memory does.
    std::int64_t disp = 0, count = 0;
    TypeRef type;
    Region region;
    std::vector<rma::AccessEnd> reads;  // it has fetched by then
  };
  // Memory of another process as a process sees it.
  struct Segment {
    std::int64_t hi = 0;
    SharedWindowRef window;
    int owner = 0;  // rank in it
  };
  // What a persistent request uses whenever it is started.
  struct Pattern {
    std::vector<Region> regions;
    bool partitioned = false;  // a region for each partition
  };
  struct Partition {
    Region region;
    std::vector<rma::AccessId> ids;  // while MPI has it
  };
  // What an operation under way uses.
  struct Pending {
    std::vector<rma::AccessId> ids;
    std::vector<Partition> partitions;
  };
  struct State {
    std::unordered_map<std::uint64_t, Epochs> windows;  // by raw handle
    std::map<std::int64_t, Segment> segments;
    std::unordered_map<OperationKey, Pending> pending;  // by request
    std::unordered_map<std::uint32_t, std::vector<rma::AccessId>>
        open;                                             // by call, until it returns
    std::unordered_map<std::uint32_t, Pattern> patterns;  // of persistent requests
    bool instrumented = false, moved = false;
  };

  State& state(const Process& process) {
    if (process.index >= states_.size()) states_.resize(process.index + 1);
    return states_[process.index];
  }
  void begin();
  static bool ignored(const Process&, const Call&);
  bool watches(const State& s) const { return !s.windows.empty() || s.instrumented; }
  Epochs* epochs(const Process&, State&, std::uint64_t raw);

  // Windows and epochs (epochs.cc).
  void enter_window(Process&, Call&, const WindowAct&);
  void leave_window(Process&, Call&, const Event&, const WindowAct&);
  void move(Process&, Call&, const WindowAct&, Epochs&);
  void complete(Process&, Epochs&, std::int64_t target, bool local, const rma::AccessEnd&,
                std::uint32_t before);
  void complete_request(Process&, std::uint32_t call, const rma::AccessEnd&);
  void publish_lock(const Process&, const Call&, const rma::LockHeld&);
  void see_lock(Epochs&, int target, const rma::AccessEnd&);
  void see_by_loads(const Process&, const Call&, Epochs&, bool writes);
  void query(Process&, const Call&, const Event& leave, const WindowAct&);
  void lose(Epochs&);
  void over_origin(Operation&, const rma::AccessEnd&);
  void over_target(Operation&, const rma::AccessEnd&);
  void read_memory(rma::AccessId, const rma::AccessEnd&);
  static rma::Location place_of_access(const rma::Access&);
  static bool in_shared_memory(const Epochs&);
  static rma::LockHeld lock_of(const Epochs&, int target);
  static void put_under_lock(rma::Access&, const Epochs&, int target);

  // Buffers of other calls (buffers.cc).
  void enter_buffers(Process&, Call&, const AccessPlan&);
  void begin_buffer(Process&, const Call&, const Region&, bool pends, std::vector<rma::AccessId>&);
  void end_buffers(std::vector<rma::AccessId>&, const rma::AccessEnd&);
  void make_ready(Process&, const Call&, OperationKey);
  void arrive(Process&, const Call&, const Event& leave);

  // Accesses (accesses.cc).
  rma::Access access_of(const Process&, const Call&, rma::AccessSort) const;
  std::vector<rma::AccessId> add_own(Process&, const Region&, const rma::Access&);
  void add(rma::AccessId);
  // Whose memory it is that a process has at an address, and by how much its own addresses differ.
  struct Home {
    std::uint32_t process = 0;
    std::int64_t shift = 0;
    bool known = true;
  };
  Home home_of(std::uint32_t process, std::int64_t address) const;
  static std::int64_t start_of(const Unplaced&, const WindowMemory&);
  void place_or_wait(Unplaced&&);
  void place(Unplaced&);
  void place_waiting();
  void take_known();
  void compare(rma::AccessId);
  void end(rma::AccessId, const rma::AccessEnd&);
  void drop_or_join(rma::AccessId);
  void sweep();
  bool in_window(std::uint32_t process, std::int64_t lo, std::int64_t hi) const;
  rma::AccessEnd end_here(const Process&, const Call&, bool returned);
  void name_window(rma::Access&);
  void not_judged(const char* why, Site);

  const std::vector<AccessPlan>& plans_ = plan_table<access_plan>();
  Clocks* clocks_ = nullptr;
  SharedWindows* windows_ = nullptr;
  Exposures* exposures_ = nullptr;
  rma::MemoryOrder memory_;
  rma::AccessTable table_;
  rma::Findings findings_;
  std::vector<State> states_;          // by process
  std::deque<rma::AccessId> unknown_;  // what happens before them is not known yet
  std::deque<Unplaced> unplaced_;
  std::uint64_t placed_at_ = 0;  // version of the windows
  std::size_t sweep_at_ = 1024;
  std::vector<Region> regions_;
  RegionTest test_;
  bool active_ = false;  // there was a window, or an instrumented process
  std::map<std::string, std::pair<std::uint64_t, Site>> gaps_;
};

}  // namespace vouch
