// What a run decided by chance, or was made to decide: takes its schedule, and tells where it left
// the one that it should follow.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analysis/analysis.h"
#include "analysis/meta_listener.h"
#include "match/operation.h"
#include "policy/schedule.h"
#include "policy/taker.h"

namespace vouch {

class ScheduleWatch final : public Analysis, public MatchObserver, public MetaListener {
 public:
  // `followed`: nullptr if the run is only observed.
  ScheduleWatch(World&, Sink&, std::shared_ptr<const policy::Schedule> followed);

  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event&) override;
  void on_policy(Process&, int thread, const Event& meta) override;
  void on_end(Process&) override;
  void on_match(const Match&) override;

  policy::Schedule schedule() const { return taker_.schedule(world_); }
  bool too_long() const { return taker_.too_long(); }

 private:
  void left_it(const Process&, const Call*, const std::string& why);

  const std::shared_ptr<const policy::Schedule> followed_;
  policy::ScheduleTaker taker_;
  bool told_ = false;
};

}  // namespace vouch
