#include "predict/questions/findings.h"

#include <algorithm>

#include <fmt/format.h>

#include "predict/encoding/conditions.h"
#include "predict/program/state.h"
#include "predict/quick/deadlock_quick.h"

namespace vouch::predict {
namespace {

std::string words_of(const Program& program, const SyncGroup& group) {
  switch (group.kind) {
    case SyncKind::all:
      return "collective of all";
    case SyncKind::from_root:
      return fmt::format("collective from root {}", group.root);
    case SyncKind::to_root:
      return fmt::format("collective to root {}", group.root);
    case SyncKind::prefix:
      return "scan";
    case SyncKind::listed:
      return "collective";
  }
  return program.groups.empty() ? "" : "collective";
}

// Operations of a text have names; those of a run have lines.
bool has_line(const Operation& op) { return op.site.value != 0; }

std::string name_of(const Program& program, OpId id) {
  const auto& op = program[id];
  if (!has_line(op)) return op.name;
  const auto& line = program.sites[op.site.value];
  return op.kind == OpKind::send ? fmt::format("the message of rank {} ({})", op.process, line)
                                 : fmt::format("rank {} at {}", op.process, line);
}

std::string condition_of(const Program& program, const Operation& op) {
  return op.variable.empty() ? print_expr(program, op.expr) : op.variable;
}

std::string list(const Program& program, const std::vector<OpId>& ops, std::size_t most = 4) {
  std::string text;
  for (std::size_t i = 0; i < ops.size() && i < most; ++i)
    text += (i ? ", " : "") + name_of(program, ops[i]);
  if (ops.size() > most) text += fmt::format(" and {} more", ops.size() - most);
  return text;
}

class Reporter {
  using What = Prediction::What;

 public:
  Reporter(const Program& program, SiteTable& sites, Predicted& out)
      : program_(program), sites_(sites), out_(out) {}

  Place place(OpId id, std::string role) {
    const auto& op = program_[id];
    // Without a line the operation's name is its place: findings of different ones stay apart.
    const auto text = op.site.value == 0 ? op.name : program_.sites[op.site.value];
    return {WorldRank{op.process}, sites_.intern_text(text), describe(program_, id),
            std::move(role)};
  }

  void races(const RaceReply& reply, Buffering buffering) {
    for (const auto& race : reply.races) {
      Report report{.rule = Rule::race_message, .severity = info(Rule::race_message).severity};
      report.message = fmt::format("can take {}", list(program_, race.sends));
      report.places.push_back(place(race.receive, ""));
      for (std::size_t i = 0; i < race.sends.size() && i < 4; ++i)
        report.places.push_back(place(race.sends[i], "possible sender"));
      out_.predictions.push_back({What::race, buffering, std::move(report), race.schedule,
                                  fmt::format("race of {}", program_[race.receive].name)});
    }
    if (!reply.undecided.empty())
      undecided(fmt::format("races of {}", list(program_, reply.undecided)), buffering,
                reply.reason);
  }

  void violation(const Reply& reply, Buffering buffering) {
    if (reply.outcome == Outcome::inconclusive) undecided("assertions", buffering, reply.reason);
    if (reply.outcome != Outcome::witnessed) return;
    const auto values = values_of(program_, reply.matching);
    Report report{.rule = Rule::assertion_violated,
                  .severity = info(Rule::assertion_violated).severity};
    for (OpId id = 0; id < program_.ops.size(); ++id) {
      const auto& op = program_[id];
      if (op.kind != OpKind::assertion || evaluate(program_, op.expr, values) != 0) continue;
      if (report.places.empty())
        report.message = fmt::format("{} fails{}: {}", condition_of(program_, op),
                                     without_buffering(buffering), taken(reply.matching));
      report.places.push_back(place(id, report.places.empty() ? "" : "fails too"));
    }
    report.potential = buffering == Buffering::zero;
    out_.predictions.push_back(
        {What::assertion, buffering, std::move(report), reply.schedule, "assertion"});
  }

  // What each process waits for, and who took what it needs.
  void deadlock(const Reply& reply, Buffering buffering, bool always, bool answers) {
    if (reply.outcome == Outcome::inconclusive) undecided("deadlock", buffering, reply.reason);
    if (reply.outcome != Outcome::witnessed) return;
    const auto run = replay(program_, buffering, reply.schedule);
    if (!run.ok() || run.value().end != End::deadlock)
      return undecided("deadlock", buffering, "the witness could not be replayed");
    const State& state = run.value().state;
    Report report{.rule = Rule::deadlock_wait_cycle,
                  .severity = info(Rule::deadlock_wait_cycle).severity};
    bool any_source = false, finished_source = false, asks = false;
    for (const auto& stuck : explain_deadlock(program_, state)) {
      const auto& on = program_[stuck.on == kNoOp ? stuck.at : stuck.on];
      asks |= program_[stuck.at].by_test;
      const bool receives = on.kind == OpKind::receive || on.kind == OpKind::probe;
      any_source |= receives && on.peer == kAny;
      finished_source |= receives && on.peer != kAny && state.finished(on.peer);
      report.places.push_back(place(stuck.at, waits_for(stuck, on)));
    }
    if (asks)
      report.rule = Rule::deadlock_livelock;
    else if (any_source)
      report.rule = Rule::deadlock_wildcard_knot;
    else if (finished_source)
      report.rule = Rule::deadlock_finished_rank;
    report.severity = info(report.rule).severity;
    report.message = fmt::format("{}{}{}",
                                 !always    ? "in some schedule"
                                 : !answers ? "in every schedule"
                                            : "in every schedule in which tests and waits for some "
                                              "of several requests answer as in this run",
                                 without_buffering(buffering),
                                 reply.matching.empty() ? "" : ": " + taken(reply.matching));
    report.potential = buffering == Buffering::zero;
    out_.predictions.push_back({What::deadlock, buffering, std::move(report), reply.schedule,
                                "deadlock", always && !answers});
  }

  void undecided(const std::string& what, Buffering buffering, const std::string& reason) {
    out_.undecided.push_back(
        {.what = what + without_buffering(buffering), .reason = reason, .count = 1});
  }

 private:
  static std::string without_buffering(Buffering buffering) {
    return buffering == Buffering::zero ? " when sends are not buffered" : "";
  }

  std::string taken(const std::vector<Match>& matching) const {
    std::string text;
    std::size_t said = 0;
    // Only where there was a choice is it news who took what.
    for (const auto& match : matching) {
      if (program_[match.receive].peer != kAny || ++said > 8) continue;
      text += fmt::format("{}{} takes {}", text.empty() ? "" : ", ",
                          name_of(program_, match.receive), name_of(program_, match.send));
    }
    if (said > 8) text += fmt::format(" and {} more", said - 8);
    return text.empty() ? "whatever is taken" : text;
  }

  std::string waits_for(const Stuck& stuck, const Operation& on) const {
    std::string text = program_[stuck.at].by_test ? "polls forever for " : "waits for ";
    if (on.kind == OpKind::send)
      text += has_line(on) ? fmt::format("rank {} to receive its message", on.peer)
                           : fmt::format("rank {} to receive {}", on.peer, on.name);
    else if (on.kind != OpKind::sync && on.peer != kAny)
      text += fmt::format("rank {}", on.peer);
    else
      text += stuck.needs.empty() ? "nobody who could come" : rank_words(stuck.needs);
    for (std::size_t i = 0; i < stuck.gone.size() && i < 3; ++i)
      text += fmt::format("; {} took {}", name_of(program_, stuck.gone[i].receive),
                          name_of(program_, stuck.gone[i].send));
    return text;
  }

  const Program& program_;
  SiteTable& sites_;
  Predicted& out_;
};

}  // namespace

std::string describe(const Program& program, OpId id) {
  const auto& op = program[id];
  const std::string name = has_line(op) ? "" : op.name + " ";
  const auto source = [](const Operation& r) {
    return r.peer == kAny ? std::string("any rank") : fmt::format("rank {}", r.peer);
  };
  const auto tag = [](const Operation& m) {
    return m.tag == kAny ? std::string(", any tag")
           : m.tag == 0  ? std::string()
                         : fmt::format(", tag {}", m.tag);
  };
  switch (op.kind) {
    case OpKind::send:
      return fmt::format("send {}to rank {}{}", name, op.peer, tag(op));
    case OpKind::receive:
      return fmt::format("receive {}from {}{}", name, source(op), tag(op));
    case OpKind::probe:
      return fmt::format("probe {}for a message of {}{}", name, source(op), tag(op));
    case OpKind::sync:
      return words_of(program, program.groups[op.group]);
    case OpKind::assume:
      return fmt::format("assume({})", condition_of(program, op));
    case OpKind::assertion:
      return fmt::format("assert({})", condition_of(program, op));
    case OpKind::wait:
      break;
  }
  // A blocking receive is known by what it receives.
  if (op.completes.size() == 1 && op.completes[0] + 1 == id)
    return describe(program, op.completes[0]);
  std::string parts;
  for (std::size_t i = 0; i < op.completes.size() && i < 3; ++i)
    parts += (i ? ", " : "") + describe(program, op.completes[i]);
  if (op.completes.size() > 3) parts += fmt::format(" and {} more", op.completes.size() - 3);
  return fmt::format("{} {}", op.by_test ? "test for" : "wait for", parts);
}

Predicted predict(const Program& program, const QuestionOptions& options, const Asked& asked,
                  SiteTable& sites) {
  Predicted out;
  Predictor predictor(program, options);
  Reporter reporter(program, sites, out);
  std::uint64_t pairs = 0;
  const auto deadlock = [&](Buffering buffering) {
    const auto reply = predictor.deadlock(buffering);
    // No complete execution at all is worse than one that gets stuck.
    const bool always =
        reply.outcome == Outcome::witnessed &&
        (reply.stage == Stage::always || predictor.reachable(buffering).outcome == Outcome::proved);
    reporter.deadlock(reply, buffering, always, asked.answers);
    pairs = std::max<std::uint64_t>(pairs, reply.pairs);
    return reply.outcome == Outcome::witnessed;
  };
  // Every execution without buffering is one with it: what can go wrong there is said once.
  const auto widest = asked.infinite ? Buffering::infinite : Buffering::zero;
  if (asked.deadlock) {
    const bool known = asked.infinite && deadlock(Buffering::infinite);
    if (asked.zero && !known) deadlock(Buffering::zero);
  }
  if (asked.assertions && has(program, OpKind::assertion)) {
    const auto reply = predictor.violation(widest);
    reporter.violation(reply, widest);
    pairs = std::max<std::uint64_t>(pairs, reply.pairs);
  }
  if (asked.races) reporter.races(predictor.races(widest), widest);
  const auto& told = predictor.solver().statistics();
  out.statistics = {{"processes", static_cast<std::uint64_t>(program.processes())},
                    {"operations", program.ops.size()},
                    {"match_pairs", pairs},
                    {"solver_questions", told.questions},
                    {"solver_parts", told.parts},
                    {"solver_parts_remembered", told.remembered},
                    {"solver_constraints", told.constraints},
                    {"solver_milliseconds", static_cast<std::uint64_t>(told.seconds * 1000)}};
  return out;
}

void report(const Predicted& predicted, Sink& sink) {
  for (const Prediction& p : predicted.predictions) sink.report(p.report);
  for (const NotChecked& n : predicted.undecided) sink.not_checked(n);
}

}  // namespace vouch::predict
