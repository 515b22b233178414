// What a run decided by chance, or was made to decide: takes its schedule, and tells where it left
// the one that it should follow.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "act/act.h"
#include "analysis/analysis.h"
#include "analysis/meta_listener.h"
#include "match/operation.h"
#include "policy/recorder.h"
#include "policy/schedule.h"

namespace vouch {

class ScheduleWatch final : public Analysis,
                            public ActListener,
                            public MatchObserver,
                            public MetaListener {
 public:
  // `followed`: nullptr if the run is only observed.
  ScheduleWatch(World&, Sink&, std::shared_ptr<const policy::Schedule> followed);

  Wants wants(Proc) const override { return {}; }
  WantsActs wants_acts(Proc) const override;
  void on_enter_acts(Process&, Call&, std::span<const Act>) override;
  void on_leave_acts(Process&, Call&, const Event&, std::span<const Act>) override;
  void on_policy(Process&, int thread, const Event& meta) override;
  void on_end(Process&) override;
  void on_match(const Match&) override;

  policy::Schedule schedule() const { return recorder_.schedule(world_); }
  bool too_long() const { return recorder_.too_long(); }

 private:
  void left_it(const Process&, const Call*, const std::string& why);

  const std::shared_ptr<const policy::Schedule> followed_;
  policy::ScheduleRecorder recorder_;
  bool told_ = false;
};

}  // namespace vouch
