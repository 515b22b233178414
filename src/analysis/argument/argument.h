// Every argument of every call, judged by its kind.
//
// For each procedure a plan is compiled from the API table (plan.h). At run time the stages of the
// plan are walked in the order of usage rules 1.2: handles, ranges and constants, commit and
// op/type, addresses. All that is wrong in one stage is reported; then the call is poisoned and the
// rest is left alone.

#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/argument/plan.h"

namespace vouch {

class Argument : public Analysis {
 public:
  // Without the short way every call is judged in full; the findings are the same.
  Argument(World&, Sink&, bool short_way = true);
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;

 private:
  friend class Checker;
  bool surely_fine(const Process&, const Event&, const Plan&) const;
  void judge(Process&, Call&, const Plan&);
  void fire(Process&, Call&, Rule, Severity, std::string message, std::string cause,
            std::vector<Place> more);
  // True the first time: what is only information is said once per line.
  bool first_time(const Call&, int param);

  std::vector<Plan> plans_;  // by Proc
  std::unordered_set<std::uint64_t> told_;
  std::unordered_set<std::string> closed_ports_;
};

}  // namespace vouch
