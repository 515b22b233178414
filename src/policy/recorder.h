// From the events of a run to the schedule that it followed.
//
// A match is numbered when its operation is issued and known when it is complete; one that never
// was stays free, a cancelled one is told as such. Picks are numbered when their calls return.
// Polls that found nothing and were only counted come by Meta::polls.
//
// Misses: MPI_Request_get_status_any and _some; processes that were spawned. Where several threads
// of a rank call, their order is that of their records. Failing polls that repeat one before an
// MPI_Waitany or MPI_Waitsome are put behind it, unless the run followed a schedule.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "act/act.h"
#include "event/text.h"
#include "model/per_process.h"
#include "model/world.h"
#include "policy/schedule.h"

namespace vouch::policy {

class ScheduleRecorder {
 public:
  static bool sees(Proc);
  // Before the model takes the effect over. Without acts where the call has none.
  void enter(const Process&, const Call&, std::span<const Act>);
  void leave(const Process&, const Call&, const Event& leave, std::span<const Act>);
  void polls(const Process&, std::uint64_t count);
  // What this call posted, or started, was not seen to complete and yet got this message: its
  // process ended with it. Misses: several that one MPI_Startall has started.
  void took(const Process&, std::uint32_t call, int source, int tag);

  // What is known so far.
  Schedule schedule(const World&) const;
  // Beyond this nothing is kept: memory is bounded.
  static constexpr std::size_t kMostKept = std::size_t{1} << 22;
  bool too_long() const { return too_long_; }
  // How many matches and picks the process has had.
  std::uint64_t matches(const Process&) const;
  std::uint64_t picks(const Process&) const;

 private:
  struct Waiting {  // a match that is not known yet
    std::size_t match = 0;
    bool any_tag = false;
  };
  struct Local {
    RankSchedule mine;
    std::uint64_t matches = 0, picks = 0;
    std::unordered_map<OperationKey, Waiting> waiting;
  };

  void issue(Local&, OperationKey, bool any_tag);
  static void settle(Local&, OperationKey, const wire::Status&);
  void probed(const Act&, Local&);
  void completed(const Call&, const Act&, const Event& leave, Local&);
  void add(Local&, Pick, std::uint64_t times = 1);

  PerProcess<Local> locals_;
  bool too_long_ = false;
};

// The same from a trace.
Schedule schedule_of(const TextTrace&);

}  // namespace vouch::policy
