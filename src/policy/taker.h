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
#include <unordered_map>
#include <vector>

#include "event/plan_table.h"
#include "event/text.h"
#include "model/world.h"
#include "policy/schedule.h"

namespace vouch::policy {

class ScheduleTaker {
 public:
  bool sees(Proc proc) const { return plan(proc).what != Do::nothing; }
  // Before the model takes the effect over.
  void enter(Process&, const Call&);
  void leave(Process&, const Call&, const Event& leave);
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
  enum class Do : std::uint8_t {
    nothing,
    receive,  // also probes
    ask_for,  // MPI_Iprobe, MPI_Improbe
    start,
    complete,
    ask,  // only answers yes or no
  };
  struct Plan {
    Do what = Do::nothing;
    bool blocks = false, picks = false;
    int source = -1, tag = -1;
    int request = -1, requests = -1, flag = -1, index = -1, indices = -1, outcount = -1;
    int status = -1, statuses = -1;
  };
  struct Waiting {  // a match that is not known yet
    std::size_t match = 0;
    bool any_tag = false;
    std::uint32_t call = 0;
  };
  struct Local {
    RankSchedule mine;
    std::uint64_t matches = 0, picks = 0;
    std::unordered_map<std::uint64_t, Waiting> waiting;  // by call, or persistent request
  };

  static Plan make_plan(Proc);
  const Plan& plan(Proc proc) const { return plans_[static_cast<std::size_t>(proc)]; }
  Local& local(const Process&);
  const Local* local(const Process&) const;
  void issue(Local&, std::uint64_t key, bool any_tag, std::uint32_t call);
  static void settle(Local&, std::uint64_t key, const wire::Status*);
  static const Request* request_at(Process&, const Call&, const Plan&, std::uint64_t i);
  void start(Process&, const Call&, const Plan&, Local&);
  void complete(Process&, const Call&, const Plan&, const Event&, Local&);
  void add(Local&, Pick, std::uint64_t times = 1);

  const std::vector<Plan>& plans_ = plan_table<make_plan>();
  std::vector<Local> locals_;  // by process
  bool too_long_ = false;
};

// The same from a trace.
Schedule schedule_of(const TextTrace&);

}  // namespace vouch::policy
