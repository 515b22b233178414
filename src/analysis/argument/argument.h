// Every argument of every call, judged by its kind.
//
// For each procedure a plan is compiled from the API table (plan.h). At run time the stages of the
// plan are walked in the order of [U51]: handles, ranges and constants, commit and
// op/type, addresses. All that is wrong in one stage is reported; then the call is poisoned and the
// rest is left alone.

#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/argument/attributes.h"
#include "analysis/argument/null_origins.h"
#include "analysis/argument/plan.h"
#include "analysis/damage.h"

namespace vouch {

struct Charge;
struct Trails;

class Argument : public Analysis, public DamageUser {
 public:
  // Without the short way every call is judged in full; the findings are the same.
  Argument(World&, Sink&, bool short_way = true);
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;

 private:
  friend class Checker;
  // What a glance leaves open: nothing, the value of one parameter, or anything.
  static constexpr int kFine = -1, kAnything = -2;
  int doubtful(const Process&, const Call&, const Plan&) const;
  void judge(Process&, Call&, const Plan&);
  void judge_value(Process&, Call&, const Plan&, int param);
  // This finding was made before, and is counted once more.
  bool known(const Process&, Call&, const Charge&, const char* param, const Trails&,
             std::uint64_t common_key);
  void tell(Process&, Call&, const Charge&, const char* param, std::string message, const Trails&,
            std::string common, std::uint64_t common_key);
  bool as_before(const Process&, Call&);
  void remember(const Process&, const Call&);
  // True the first time: what is only information is said once per line.
  bool first_time(const Call&, int param);

  // What was found about the last call at a place: one that says the same, with no object changed
  // since (Process::changes), has the same findings, and they need not be put into words again.
  struct Before {
    Proc proc = Proc::none;
    std::uint32_t changes = 0;
    std::uint64_t words = 0;  // digest
    struct Fired {
      Rule rule;
      Severity severity;
      std::string cause;
      std::vector<Involved> places;
      std::uint64_t common_key;
    };
    std::vector<Fired> fired;
  };
  static constexpr std::size_t kBefore = 4096;        // places that are remembered
  std::unordered_map<std::uint64_t, Before> before_;  // by process and site
  std::vector<Before::Fired> fired_;                  // about the call under judgement
  bool counted_ = false;                              // something about it was known already

  const std::vector<Plan>& plans_;  // by Proc
  const bool short_way_;
  std::unordered_set<std::uint64_t> told_;
  // By name, with the processes that closed them. What another process does is ordered neither
  // before nor after: its records may only be read late.
  std::unordered_map<std::string, std::set<std::size_t>> closed_ports_;
  AttributeHolders attributes_;
  NullOrigins nulls_;
};

}  // namespace vouch
