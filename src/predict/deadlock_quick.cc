#include "predict/deadlock_quick.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "predict/counting.h"
#include "predict/steer.h"

namespace vouch::predict {
namespace {

// Steered runs cost linear time each; a program with more candidates than this is asked otherwise.
constexpr std::size_t kMaxSteered = 500;
// Without buffers a deadlock needs no starving receive: some runs at random.
constexpr std::uint64_t kRandomRuns = 8;

bool has_rendezvous(const Program& program, Buffering buffering) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const Operation& op) {
    return op.kind == OpKind::send && rendezvous(op, buffering);
  });
}

}  // namespace

bool has_no_choice(const Program& program, const MatchPairs& pairs) {
  for (OpId r = 0; r < program.ops.size(); ++r) {
    const auto sends = pairs.sends_of(r);
    for (OpId s : sends)
      if (program[s].process != program[sends.front()].process) return false;
  }
  return true;
}

QuickDeadlock quick_deadlock(const Program& program, Buffering buffering, const MatchPairs& pairs) {
  QuickDeadlock answer;
  const auto decide = [&](QuickVerdict verdict, const char* by, Schedule witness = {}) {
    answer.verdict = verdict;
    answer.by = by;
    answer.witness = std::move(witness);
    return std::move(answer);
  };
  auto run = steer(program, buffering);
  if (run.end == End::deadlock) {
    if (always_deadlocks(program))
      return decide(QuickVerdict::always, "counting", std::move(run.schedule));
    if (has_no_choice(program, pairs))
      return decide(QuickVerdict::always, "no choice", std::move(run.schedule));
    return decide(QuickVerdict::possible, "first run", std::move(run.schedule));
  }
  if (has_no_choice(program, pairs)) return decide(QuickVerdict::never, "no choice");

  answer.candidates = starvation_candidates(program, pairs);
  const bool waits_for_receivers = has_rendezvous(program, buffering);
  if (!waits_for_receivers) {
    refute(program, answer.candidates);
    if (std::all_of(answer.candidates.begin(), answer.candidates.end(),
                    [](const Candidate& one) { return one.refuted; }))
      return decide(QuickVerdict::never, "nothing starves");
  }
  std::size_t runs = 0;
  for (const auto& one : answer.candidates) {
    if (one.refuted || runs++ == kMaxSteered) continue;
    run = steer(program, buffering, {.starve = one.receive});
    if (run.end == End::deadlock)
      return decide(QuickVerdict::possible, "steered run", std::move(run.schedule));
  }
  for (std::uint64_t seed = 1; waits_for_receivers && seed <= kRandomRuns; ++seed) {
    run = steer(program, buffering, {.seed = seed});
    if (run.end == End::deadlock)
      return decide(QuickVerdict::possible, "random run", std::move(run.schedule));
  }
  return answer;
}

namespace {

// Members of a collective that have not entered it.
std::vector<int> absent(const State& state, const SyncGroup& group) {
  std::vector<int> found;
  for (std::size_t i = 0; i < group.members.size(); ++i)
    if (group.ops[i] == kNoOp || !state.issued(group.ops[i])) found.push_back(group.members[i]);
  return found;
}

Stuck explain(const Program& program, const State& state, int process) {
  Stuck stuck;
  stuck.process = process;
  stuck.at = state.at(process);
  const auto why = state.refusal({Step::What::pass, stuck.at});
  stuck.on = why.op;
  const auto& on = program[stuck.on];
  if (on.kind == OpKind::send) {
    stuck.needs = {on.peer};
  } else if (on.kind == OpKind::sync) {
    stuck.needs = absent(state, program.groups[on.group]);
  } else {
    std::set<int> senders;
    for (OpId s = 0; s < program.ops.size(); ++s) {
      if (program[s].kind != OpKind::send || !accepts(on, program[s])) continue;
      if (!state.issued(s))
        senders.insert(program[s].process);
      else if (state.partner(s) != kNoOp)
        stuck.gone.push_back({state.partner(s), s});
    }
    stuck.needs.assign(senders.begin(), senders.end());
  }
  return stuck;
}

}  // namespace

std::vector<Stuck> explain_deadlock(const Program& program, const State& state) {
  std::vector<Stuck> found;
  for (int p = 0; p < program.processes(); ++p)
    if (!state.finished(p)) found.push_back(explain(program, state, p));
  return found;
}

std::string print_deadlock(const Program& program, const std::vector<Stuck>& all) {
  std::string text;
  for (const auto& one : all) {
    const auto& on = program[one.on];
    text += fmt::format("process {} is stuck at {}", one.process, program[one.at].name);
    if (on.kind == OpKind::send)
      text += fmt::format(": {} is not received by process {}", on.name, on.peer);
    else if (on.kind == OpKind::sync)
      text += fmt::format(": processes {} have not called it", fmt::join(one.needs, ", "));
    else if (one.needs.empty())
      text += fmt::format(": no more message comes for {}", on.name);
    else
      text += fmt::format(": {} waits for process {}", on.name, fmt::join(one.needs, " or "));
    for (const auto& [receive, send] : one.gone)
      text += fmt::format("; {} was taken by {}", program[send].name, program[receive].name);
    text += '\n';
  }
  return text;
}

}  // namespace vouch::predict
