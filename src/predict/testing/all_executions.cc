#include "predict/testing/all_executions.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "predict/program/state.h"

namespace vouch::predict {
namespace {

class Explorer {
 public:
  Explorer(Choices choices, std::size_t max_states) : choices_(choices), max_states_(max_states) {}

  Outcomes run(State start) {
    push(std::move(start));
    while (!open_.empty()) {
      const State state = std::move(open_.back());
      open_.pop_back();
      expand(state);
    }
    outcomes_.states = seen_.size();
    return std::move(outcomes_);
  }

 private:
  void push(State state) {
    if (choices_ == Choices::matches) state.settle();
    if (seen_.size() >= max_states_) {
      outcomes_.capped = true;
      return;
    }
    if (seen_.insert(state.key()).second) open_.push_back(std::move(state));
  }

  void expand(const State& state) {
    const auto steps = choices_ == Choices::matches ? state.matches() : state.enabled();
    for (const auto& step : steps) {
      if (step.what == Step::What::match) outcomes_.pairs.insert({step.op, step.send});
      State next = state;
      next.take(step);
      push(std::move(next));
    }
    if (!steps.empty()) return;
    auto& finals = state.finished() ? outcomes_.complete : outcomes_.deadlocked;
    finals.insert(state.matching());
  }

  Choices choices_;
  std::size_t max_states_;
  std::unordered_set<std::string> seen_;
  std::vector<State> open_;
  Outcomes outcomes_;
};

// Of one kind, all are true.
bool all_hold(const Program& program, OpKind kind, const std::vector<std::int64_t>& values) {
  return std::all_of(program.ops.begin(), program.ops.end(), [&](const Operation& op) {
    return op.kind != kind || evaluate(program, op.expr, values) != 0;
  });
}

}  // namespace

Outcomes explore(const Program& program, Buffering buffering, Choices choices,
                 std::size_t max_states) {
  return Explorer(choices, max_states).run(State(program, buffering));
}

bool violated(const Program& program, const Outcomes& outcomes) {
  return std::any_of(outcomes.complete.begin(), outcomes.complete.end(), [&](const auto& matching) {
    const auto values = values_of(program, matching);
    return all_hold(program, OpKind::assume, values) &&
           !all_hold(program, OpKind::assertion, values);
  });
}

bool path_feasible(const Program& program, const Outcomes& outcomes) {
  return std::any_of(outcomes.complete.begin(), outcomes.complete.end(), [&](const auto& matching) {
    return all_hold(program, OpKind::assume, values_of(program, matching));
  });
}

std::set<OpId> racing_receives(const Outcomes& outcomes) {
  std::map<OpId, int> sends;
  for (const auto& [receive, send] : outcomes.pairs) ++sends[receive];
  std::set<OpId> racing;
  for (const auto& [receive, count] : sends)
    if (count > 1) racing.insert(receive);
  return racing;
}

}  // namespace vouch::predict
