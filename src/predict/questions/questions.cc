#include "predict/questions/questions.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "predict/encoding/conditions.h"
#include "predict/quick/deadlock_quick.h"
#include "predict/quick/steer.h"

namespace vouch::predict {
namespace {

constexpr std::uint64_t kRaceRuns = 12, kViolationRuns = 16;
constexpr std::size_t kManyPairs = 5000;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<Match> matching_of(const Encoding& encoding, const Question& question) {
  std::vector<Match> matching;
  for (const auto& match : encoding.pairs())
    if (question.value(encoding.takes(match))) matching.push_back(match);
  return matching;
}

std::vector<Match> matches_of(const Schedule& schedule) {
  std::vector<Match> matching;
  for (const auto& step : schedule)
    if (step.what == Step::What::match) matching.push_back({step.op, step.send});
  return matching;
}

// Some message has no value: then no run can be judged without looking further.
bool unknown_values(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const Operation& op) {
    return op.kind == OpKind::send && op.expr == kNoExpr;
  });
}

// The receives whose values the assertions depend on directly.
std::vector<OpId> read_by_assertions(const Program& program) {
  std::set<OpId> read;
  std::vector<ExprId> open;
  for (const auto& op : program.ops)
    if (op.kind == OpKind::assertion) open.push_back(op.expr);
  while (!open.empty()) {
    const ExprId at = open.back();
    open.pop_back();
    if (at == kNoExpr) continue;
    const auto& e = program.exprs[at];
    if (e.kind == Expr::Kind::variable) read.insert(e.receive);
    open.push_back(e.left);
    open.push_back(e.right);
  }
  return {read.begin(), read.end()};
}

// Asks until the solution has no cycle in time.
Answer solve(const Encoding& encoding, Question& question,
             const std::vector<z3::expr>& assumptions = {}) {
  for (;;) {
    const auto answer = question.check(assumptions);
    if (answer != Answer::sat) return answer;
    const auto forbidden =
        encoding.cycles([&](const z3::expr& literal) { return question.value(literal); });
    if (forbidden.empty()) return Answer::sat;
    for (const auto& clause : forbidden) {
      if (clause.is_false()) return Answer::unsat;
      question.add(clause);
    }
  }
}

// A witness that does not run is no witness: then we do not know.
void attach(const Program& program, Buffering buffering, std::vector<Match> matching,
            Reply& reply) {
  auto schedule = schedule_of(program, buffering, matching);
  if (!schedule.ok()) {
    reply.outcome = Outcome::inconclusive;
    reply.reason = "the solver's witness cannot be run: " + schedule.error();
    return;
  }
  reply.outcome = Outcome::witnessed;
  reply.matching = std::move(matching);
  reply.schedule = std::move(schedule).value();
}

}  // namespace

Result<Schedule> schedule_of(const Program& program, Buffering buffering,
                             const std::vector<Match>& matching) {
  State state(program, buffering);
  Schedule schedule;
  std::vector<Match> open = matching;
  // Early never hurts: whatever is possible now stays possible until it is done.
  for (bool went_on = true; went_on && !open.empty();) {
    state.settle(&schedule);
    went_on = std::erase_if(open, [&](const Match& match) {
                const Step step{Step::What::match, match.receive, match.send};
                if (state.refusal(step)) return false;
                state.take(step);
                schedule.push_back(step);
                return true;
              }) > 0;
  }
  state.settle(&schedule);
  if (open.empty()) return schedule;
  return Error{
      fmt::format("{} cannot take {}", program[open[0].receive].name, program[open[0].send].name)};
}

Predictor::Predictor(const Program& program, QuestionOptions options)
    : program_(program), options_(std::move(options)), solver_(options_.limits) {}

std::vector<z3::expr> Predictor::times_to_write(const Encoding& encoding) const {
  return solver_.writes() ? encoding.times() : std::vector<z3::expr>{};
}

void Predictor::give_up(Reply& reply) const {
  reply.outcome = Outcome::inconclusive;
  const auto& why = solver_.reason();
  reply.reason = why == "time"     ? "the time is over"
                 : why == "memory" ? "the memory is used up"
                                   : "the solver says " + why;
}

// Growing parts of the superset, or the superset at once.
template <typename Ask>
Reply Predictor::by_bounds(Ask ask) {
  const Stopwatch watch;
  Reply reply;
  if (!options_.sections) {
    reply = ask(match_pairs(program_, options_.pairs));
    reply.seconds = watch.seconds();
    return reply;
  }
  const int last = max_bound(program_);
  for (int k : bounds(program_)) {
    if (options_.largest_bound != 0 && k > options_.largest_bound) break;
    reply = ask(match_pairs(program_, sections(program_, k), options_.pairs));
    reply.bound = k;
    if (reply.outcome != Outcome::proved) break;
  }
  if (reply.outcome == Outcome::proved && reply.bound < last) {
    reply.outcome = Outcome::inconclusive;
    reply.reason = fmt::format("not witnessed up to bound {} of {}", reply.bound, last);
  } else if (reply.outcome == Outcome::inconclusive && reply.bound < last) {
    reply.reason += fmt::format(", at bound {} of {}", reply.bound, last);
  }
  reply.seconds = watch.seconds();
  return reply;
}

Reply Predictor::ask_with(Buffering buffering, Goal goal, const MatchPairs& pairs) {
  return guarded([&] { return complete_with(buffering, goal, pairs); });
}

// Building the constraints can use up the memory, too.
template <typename Ask>
Reply Predictor::guarded(Ask ask) {
  try {
    return ask();
  } catch (const z3::exception& e) {
    Reply reply;
    reply.reason = fmt::format("the solver says {}", e.msg());
    return reply;
  }
}

Reply Predictor::complete_with(Buffering buffering, Goal goal, const MatchPairs& pairs) {
  Reply reply;
  reply.stage = Stage::encoding;
  reply.pairs = pairs.size();
  auto& context = solver_.context();
  if (options_.encoding != EncodingKind::unified) {
    Reference reference(context, program_, options_.encoding, pairs);
    std::vector<z3::expr> constraints = reference.constraints();
    const auto wanted = reference.conditions(goal == Goal::violate, goal != Goal::path);
    constraints.insert(constraints.end(), wanted.begin(), wanted.end());
    Question question(solver_, constraints);
    const auto answer = question.check();
    if (answer == Answer::unknown) give_up(reply);
    if (answer == Answer::unsat) reply.outcome = Outcome::proved;
    if (answer != Answer::sat) return reply;
    std::vector<Match> matching;
    for (OpId r : program_.all(OpKind::receive))
      for (OpId s : pairs.sends_of(r))
        if (question.value(reference.takes({r, s}))) matching.push_back({r, s});
    attach(program_, buffering, std::move(matching), reply);
    return reply;
  }
  const Encoding encoding(context, program_, buffering, pairs, Extent::complete);
  if (encoding.impossible()) {
    reply.outcome = Outcome::proved;
    return reply;
  }
  auto constraints = encoding.constraints();
  Conditions conditions(context, program_, encoding);
  constraints.push_back(conditions.assumptions());
  if (goal == Goal::violate) constraints.push_back(!conditions.assertions());
  if (goal == Goal::satisfy) constraints.push_back(conditions.assertions());
  if (conditions.unknown_value()) {
    reply.reason = "a condition reads a message whose value is not known";
    return reply;
  }
  constraints.insert(constraints.end(), conditions.constraints().begin(),
                     conditions.constraints().end());
  Question question(solver_, constraints, encoding.together(), times_to_write(encoding));
  const auto answer = solve(encoding, question);
  if (answer == Answer::sat)
    attach(program_, buffering, matching_of(encoding, question), reply);
  else if (answer == Answer::unsat)
    reply.outcome = Outcome::proved;
  else
    give_up(reply);
  return reply;
}

Reply Predictor::ask(Buffering buffering, Goal goal) {
  return by_bounds([&](const MatchPairs& pairs) { return ask_with(buffering, goal, pairs); });
}

Reply Predictor::reachable(Buffering buffering) {
  const Stopwatch watch;
  // Any run that ends is a witness, where no condition restricts it.
  if (quick_allowed() && !has(program_, OpKind::assume)) {
    auto run = quick_completion(program_, buffering);
    if (run.end != SearchEnd::limit) {
      Reply reply;
      reply.outcome = run.end == SearchEnd::found ? Outcome::witnessed : Outcome::proved;
      reply.stage = Stage::quick;
      reply.matching = matches_of(run.schedule);
      reply.schedule = std::move(run.schedule);
      reply.seconds = watch.seconds();
      return reply;
    }
  }
  return ask(buffering, Goal::path);
}

// The execution breaks an assertion on the recorded path.
bool Predictor::violates(const SteeredRun& run) const {
  if (run.end != End::complete) return false;
  const auto values = values_of(program_, matches_of(run.schedule));
  bool followed = true, kept = true;
  for (const auto& op : program_.ops) {
    if (op.kind == OpKind::assume) followed &= evaluate(program_, op.expr, values) != 0;
    if (op.kind == OpKind::assertion) kept &= evaluate(program_, op.expr, values) != 0;
  }
  return followed && !kept;
}

// Some runs: at random, and such that a message stays for a receive that an assertion reads. Many
// violations need no solver.
std::optional<Reply> Predictor::violated_by_a_run(Buffering buffering) {
  if (unknown_values(program_)) return std::nullopt;
  std::vector<Steering> ways;
  for (std::uint64_t seed = 0; seed < kViolationRuns; ++seed) ways.push_back({.seed = seed});
  const auto pairs = refine(program_, Order(program_, buffering), buffering,
                            match_pairs(program_, options_.pairs), true)
                         .pairs;
  for (OpId r : read_by_assertions(program_))
    for (OpId s : pairs.sends_of(r))
      if (ways.size() < 4 * kViolationRuns) ways.push_back({.leave = s});
  for (const auto& way : ways) {
    if (solver_.out_of_time()) break;
    auto run = steer(program_, buffering, way);
    if (!violates(run)) continue;
    Reply reply;
    reply.outcome = Outcome::witnessed;
    reply.stage = Stage::quick;
    reply.matching = matches_of(run.schedule);
    reply.schedule = std::move(run.schedule);
    return reply;
  }
  return std::nullopt;
}

// In a large program a witness is looked for near one complete run first, with few pairs.
std::optional<Reply> Predictor::violated_near_a_run(Buffering buffering) {
  const auto superset = match_pairs(program_, options_.pairs);
  if (superset.size() < kManyPairs) return std::nullopt;
  const auto run = quick_completion(program_, buffering);
  if (run.end != SearchEnd::found) return std::nullopt;
  const auto matching = matches_of(run.schedule);
  for (const std::size_t distance : {1, 3}) {
    auto reply =
        ask_with(buffering, Goal::violate, pairs_near(program_, superset, matching, distance));
    if (reply.outcome == Outcome::witnessed) return reply;
  }
  return std::nullopt;
}

Reply Predictor::violation(Buffering buffering) {
  const Stopwatch watch;
  if (!has(program_, OpKind::assertion)) return {.outcome = Outcome::proved};
  if (quick_allowed()) {
    auto quick = violated_by_a_run(buffering);
    if (!quick) quick = violated_near_a_run(buffering);
    if (quick) {
      quick->seconds = watch.seconds();
      return *quick;
    }
  }
  auto reply = ask(buffering, Goal::violate);
  if (reply.outcome != Outcome::proved) return reply;
  // Nothing breaks an assertion in executions that there are not: that proves nothing.
  const auto path = reachable(buffering);
  reply.seconds += path.seconds;
  if (path.outcome == Outcome::witnessed) return reply;
  reply.outcome = Outcome::inconclusive;
  if (path.outcome == Outcome::inconclusive)
    reply.reason = "whether any execution ends was not found out: " + path.reason;
  else if (has(program_, OpKind::assume))
    reply.reason = "the recorded path is infeasible";
  else
    reply.reason = "no execution ends: each is stuck somewhere";
  return reply;
}

Reply Predictor::satisfaction(Buffering buffering) { return ask(buffering, Goal::satisfy); }

Reply Predictor::stuck_with(Buffering buffering, const MatchPairs& pairs) {
  Reply reply;
  reply.stage = Stage::encoding;
  reply.pairs = pairs.size();
  const Encoding encoding(solver_.context(), program_, buffering, pairs, Extent::stuck);
  if (encoding.impossible()) {
    reply.outcome = Outcome::proved;
    return reply;
  }
  Question question(solver_, encoding.constraints(), encoding.together(), times_to_write(encoding));
  const auto answer = solve(encoding, question);
  if (answer == Answer::sat)
    attach(program_, buffering, matching_of(encoding, question), reply);
  else if (answer == Answer::unsat)
    reply.outcome = Outcome::proved;
  else
    give_up(reply);
  return reply;
}

std::optional<Reply> Predictor::ask_quickly(Buffering buffering) {
  auto quick = quick_deadlock(program_, buffering, [&] { return solver_.out_of_time(); });
  if (quick.verdict == QuickVerdict::open) return std::nullopt;
  Reply reply;
  reply.stage = quick.verdict == QuickVerdict::always ? Stage::always : Stage::quick;
  reply.outcome = quick.verdict == QuickVerdict::never ? Outcome::proved : Outcome::witnessed;
  reply.matching = matches_of(quick.witness);
  reply.schedule = std::move(quick.witness);
  return reply;
}

Reply Predictor::deadlock(Buffering buffering) {
  const Stopwatch watch;
  if (quick_allowed())
    if (auto quick = ask_quickly(buffering)) {
      quick->seconds = watch.seconds();
      return *quick;
    }
  auto reply = by_bounds([&](const MatchPairs& pairs) {
    return guarded([&] { return stuck_with(buffering, pairs); });
  });
  reply.seconds = watch.seconds();
  return reply;
}

namespace {

// What was seen to happen: for each receive, its messages and an execution that shows the second.
class Seen {
 public:
  explicit Seen(const Program& program) : sends_(program.ops.size()), shown_(program.ops.size()) {}

  void add(const std::vector<Match>& matching) {
    for (const auto& match : matching)
      if (sends_[match.receive].insert(match.send).second && sends_[match.receive].size() == 2)
        shown_[match.receive] = matching;
  }
  bool races(OpId r) const { return sends_[r].size() >= 2; }
  const std::set<OpId>& sends(OpId r) const { return sends_[r]; }
  const std::vector<Match>& shown(OpId r) const { return shown_[r]; }

 private:
  std::vector<std::set<OpId>> sends_;
  std::vector<std::vector<Match>> shown_;
};

}  // namespace

RaceReply Predictor::races(Buffering buffering) {
  try {
    return find_races(buffering);
  } catch (const z3::exception& e) {
    RaceReply reply;
    reply.reason = fmt::format("the solver says {}", e.msg());
    reply.undecided = program_.all(OpKind::receive);
    return reply;
  }
}

RaceReply Predictor::find_races(Buffering buffering) {
  const Stopwatch watch;
  RaceReply reply;
  Seen seen(program_);
  const Order order(program_, buffering);
  const auto pairs =
      refine(program_, order, buffering, match_pairs(program_, options_.pairs), false).pairs;
  const auto receives = program_.all(OpKind::receive);
  const auto undecided = [&] {
    std::vector<OpId> left;
    for (OpId r : receives)
      if (pairs.sends_of(r).size() >= 2 && !seen.races(r)) left.push_back(r);
    return left;
  };
  // A few runs show most races; the solver is for the rest, and for what does not race.
  for (std::uint64_t seed = 0; options_.quick_stages && seed < kRaceRuns; ++seed) {
    if (undecided().empty() || solver_.out_of_time()) break;
    seen.add(matches_of(steer(program_, buffering, {.seed = seed}).schedule));
  }
  if (const auto left = undecided(); !left.empty()) {
    const Encoding encoding(solver_.context(), program_, buffering, pairs, Extent::prefix);
    Question question(solver_, encoding.constraints(), encoding.together(),
                      times_to_write(encoding));
    for (OpId r : left) {
      bool open = false;
      for (OpId s : encoding.candidates().sends_of(r)) {
        if (seen.races(r)) break;
        if (seen.sends(r).contains(s)) continue;
        const auto answer = solve(encoding, question, {encoding.takes({r, s})});
        open |= answer == Answer::unknown;
        if (answer == Answer::sat) seen.add(matching_of(encoding, question));
      }
      if (open && !seen.races(r)) reply.undecided.push_back(r);
    }
  }
  if (!reply.undecided.empty()) {
    Reply why;
    give_up(why);
    reply.reason = why.reason;
  }
  for (OpId r : receives) {
    if (!seen.races(r)) continue;
    auto schedule = schedule_of(program_, buffering, seen.shown(r));
    if (schedule.ok()) {
      reply.races.push_back({r, {seen.sends(r).begin(), seen.sends(r).end()}, *schedule});
    } else {
      reply.undecided.push_back(r);
      reply.reason = "the solver's witness cannot be run: " + schedule.error();
    }
  }
  reply.outcome = !reply.races.empty()       ? Outcome::witnessed
                  : !reply.undecided.empty() ? Outcome::inconclusive
                                             : Outcome::proved;
  reply.seconds = watch.seconds();
  return reply;
}

}  // namespace vouch::predict
