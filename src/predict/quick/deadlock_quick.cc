#include "predict/quick/deadlock_quick.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "predict/pairs/counting.h"
#include "predict/program/order.h"
#include "predict/quick/steer.h"

namespace vouch::predict {
namespace {

// Each steered run costs linear time.
constexpr std::size_t kMaxSteered = 200;
// Without buffers a deadlock needs no starving receive: some runs at random.
constexpr std::uint64_t kRandomRuns = 16;
// A state of the search costs about a look at each operation.
constexpr std::size_t kMaxStates = 20'000, kMaxLooks = 20'000'000;

std::size_t states_allowed(const Program& program) {
  return std::min(kMaxStates, kMaxLooks / (program.ops.size() + 1));
}

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

namespace {

bool all_name_their_source(const Program& program) {
  return std::none_of(program.ops.begin(), program.ops.end(), [](const Operation& op) {
    return op.kind == OpKind::receive && op.peer == kAny;
  });
}

bool all_refuted(const std::vector<Candidate>& candidates) {
  return std::all_of(candidates.begin(), candidates.end(),
                     [](const Candidate& one) { return one.refuted; });
}

}  // namespace

QuickDeadlock quick_deadlock(const Program& program, Buffering buffering,
                             const std::function<bool()>& out_of_time) {
  QuickDeadlock answer;
  const auto decide = [&](QuickVerdict verdict, const char* by, Schedule witness = {}) {
    answer.verdict = verdict;
    answer.by = by;
    answer.witness = std::move(witness);
    return std::move(answer);
  };
  const bool no_choice = all_name_their_source(program);
  auto run = steer(program, buffering);
  if (run.end == End::deadlock) {
    const bool always = no_choice || always_deadlocks(program);
    return decide(always ? QuickVerdict::always : QuickVerdict::possible,
                  no_choice ? "no choice"
                  : always  ? "counting"
                            : "first run",
                  std::move(run.schedule));
  }
  if (no_choice) return decide(QuickVerdict::never, "no choice");

  const bool waits_for_receivers = has_rendezvous(program, buffering);
  if (!waits_for_receivers) {
    answer.candidates = starvation_candidates(program);
    refute(program, answer.candidates);
    if (all_refuted(answer.candidates)) return decide(QuickVerdict::never, "nothing starves");
  }
  const auto pairs =
      refine(program, Order(program, buffering), buffering, match_pairs(program), false).pairs;
  if (has_no_choice(program, pairs)) return decide(QuickVerdict::never, "no choice");
  answer.candidates = starvation_candidates(program, pairs);
  if (!waits_for_receivers) {
    refute(program, answer.candidates);
    if (all_refuted(answer.candidates)) return decide(QuickVerdict::never, "nothing starves");
  }
  const auto is_over = [&] { return out_of_time && out_of_time(); };
  std::size_t runs = 0;
  // Late ones first: more has been sent by then that others can take.
  for (auto one = answer.candidates.rbegin(); one != answer.candidates.rend(); ++one) {
    if (one->refuted) continue;
    if (runs++ == kMaxSteered || is_over()) break;
    run = steer(program, buffering, {.starve = one->receive});
    if (run.end == End::deadlock)
      return decide(QuickVerdict::possible, "steered run", std::move(run.schedule));
  }
  for (std::uint64_t seed = 1; waits_for_receivers && seed <= kRandomRuns && !is_over(); ++seed) {
    run = steer(program, buffering, {.seed = seed});
    if (run.end == End::deadlock)
      return decide(QuickVerdict::possible, "random run", std::move(run.schedule));
  }
  if (is_over()) return answer;
  auto found = search(program, buffering, End::deadlock, states_allowed(program));
  if (found.end == SearchEnd::found)
    return decide(QuickVerdict::possible, "search", std::move(found.schedule));
  if (found.end == SearchEnd::none) return decide(QuickVerdict::never, "search");
  return answer;
}

SearchResult quick_completion(const Program& program, Buffering buffering) {
  auto run = steer(program, buffering);
  if (run.end == End::complete) return {SearchEnd::found, std::move(run.schedule), 0};
  if (all_name_their_source(program)) return {SearchEnd::none};
  return search(program, buffering, End::complete, states_allowed(program));
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
