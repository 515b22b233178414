#include "predict/program/state.h"

#include <algorithm>

#include <fmt/format.h>

namespace vouch::predict {
namespace {

using Why = Refusal::Why;

bool stays(const Operation& op, Buffering buffering) {
  return op.blocking &&
         (op.kind == OpKind::sync || (op.kind == OpKind::send && rendezvous(op, buffering)));
}

bool is_issued_kind(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::receive || kind == OpKind::sync;
}

}  // namespace

State::State(const Program& program, Buffering buffering)
    : program_(&program),
      buffering_(buffering),
      at_(program.first.begin(), program.first.end() - 1),
      entered_(at_.size()),
      partner_(program.ops.size(), kNoOp) {
  for (int p = 0; p < program.processes(); ++p) go_on(p);
}

// Conditions take no time and stop nobody.
void State::go_on(int process) {
  auto& at = at_[process];
  const auto is_condition = [&] {
    const auto kind = program_->ops[at].kind;
    return kind == OpKind::assume || kind == OpKind::assertion;
  };
  while (!finished(process) && is_condition()) ++at;
}

Refusal State::refuse_issue(OpId id) const {
  const auto& op = program_->ops[id];
  if (!is_issued_kind(op.kind)) return {Why::not_issuable, id};
  if (issued(id)) return {Why::issued_before, id};
  if (id != at_[op.process]) return {Why::not_reached, id};
  return {};
}

// Of a send, receive or collective.
Refusal State::incomplete(OpId id) const {
  const auto& op = program_->ops[id];
  if (!issued(id)) return {Why::not_issued, id};
  const bool needs_match =
      op.kind == OpKind::receive || (op.kind == OpKind::send && rendezvous(op, buffering_));
  if (needs_match && partner_[id] == kNoOp) return {Why::unmatched, id};
  if (op.kind != OpKind::sync) return {};
  const auto& group = program_->groups[op.group];
  const auto me = std::find(group.members.begin(), group.members.end(), op.process);
  for (std::size_t other : needs(group, me - group.members.begin(), buffering_))
    if (group.ops[other] == kNoOp || !issued(group.ops[other]))
      return {Why::not_entered, id, static_cast<OpId>(group.members[other])};
  return {};
}

Refusal State::refuse_pass(OpId id) const {
  const auto& op = program_->ops[id];
  if (id != at_[op.process]) return {Why::not_reached, id};
  if (op.kind == OpKind::wait) {
    for (OpId done : op.completes)
      if (auto why = incomplete(done)) return why;
    return {};
  }
  if (op.kind == OpKind::probe) {
    for (OpId s = 0; s < program_->ops.size(); ++s)
      if (can_be_matched(id, s)) return {};
    return {Why::no_message, id};
  }
  if (!stays(op, buffering_)) return {Why::not_blocking, id};
  return incomplete(id);
}

// The receive (or a probe, as if it were one) is there and could take this message now.
bool State::can_be_matched(OpId receive, OpId send) const {
  const auto& s = program_->ops[send];
  return s.kind == OpKind::send && issued(send) && partner_[send] == kNoOp &&
         !refuse_match(receive, send);
}

Refusal State::refuse_match(OpId receive, OpId send) const {
  const auto& r = program_->ops[receive];
  const auto& s = program_->ops[send];
  if (!accepts(r, s)) return {Why::not_accepted, receive, send};
  for (OpId other = program_->first[s.process]; other < send; ++other) {
    const auto& earlier = program_->ops[other];
    if (earlier.kind == OpKind::send && same_channel(earlier, s) && accepts(r, earlier) &&
        partner_[other] == kNoOp)
      return {Why::earlier_send, other, send};
  }
  for (OpId other = program_->first[r.process]; other < receive; ++other) {
    const auto& earlier = program_->ops[other];
    if (earlier.kind == OpKind::receive && accepts(earlier, s) && partner_[other] == kNoOp)
      return {Why::earlier_receive, other, send};
  }
  return {};
}

Refusal State::refusal(const Step& step) const {
  const auto known = [&](OpId id) { return id < program_->ops.size(); };
  if (!known(step.op)) return {Why::unknown};
  if (step.what == Step::What::issue) return refuse_issue(step.op);
  if (step.what == Step::What::pass) return refuse_pass(step.op);
  if (!known(step.send)) return {Why::unknown};
  if (program_->ops[step.op].kind != OpKind::receive) return {Why::no_receive, step.op};
  if (program_->ops[step.send].kind != OpKind::send) return {Why::no_send, step.send};
  for (OpId id : {step.op, step.send}) {
    if (!issued(id)) return {Why::not_issued, id};
    if (partner_[id] != kNoOp) return {Why::matched_before, id, partner_[id]};
  }
  return refuse_match(step.op, step.send);
}

void State::take(const Step& step) {
  const int p = program_->ops[step.op].process;
  if (step.what == Step::What::match) {
    partner_[step.op] = step.send;
    partner_[step.send] = step.op;
    return;
  }
  if (step.what == Step::What::issue && stays(program_->ops[step.op], buffering_)) {
    entered_[p] = true;
    return;
  }
  entered_[p] = false;
  ++at_[p];
  go_on(p);
}

void State::settle(Schedule* schedule) {
  for (bool moved = true; moved;) {
    moved = false;
    for (int p = 0; p < program_->processes(); ++p) {
      while (!finished(p)) {
        Step step{Step::What::issue, at_[p]};
        if (refusal(step)) step.what = Step::What::pass;
        if (refusal(step)) break;
        take(step);
        if (schedule) schedule->push_back(step);
        moved = true;
      }
    }
  }
}

std::vector<Step> State::matches() const {
  std::vector<Step> found;
  for (int p = 0; p < program_->processes(); ++p)
    for (OpId r = program_->first[p]; r < at_[p]; ++r) {
      if (program_->ops[r].kind != OpKind::receive || partner_[r] != kNoOp) continue;
      for (OpId s = 0; s < program_->ops.size(); ++s)
        if (can_be_matched(r, s)) found.push_back({Step::What::match, r, s});
    }
  return found;
}

std::vector<Step> State::enabled() const {
  auto found = matches();
  for (int p = 0; p < program_->processes(); ++p) {
    if (finished(p)) continue;
    for (auto what : {Step::What::issue, Step::What::pass})
      if (const Step step{what, at_[p]}; !refusal(step)) found.push_back(step);
  }
  return found;
}

bool State::finished() const {
  for (int p = 0; p < program_->processes(); ++p)
    if (!finished(p)) return false;
  return true;
}

std::vector<Match> State::matching() const {
  std::vector<Match> found;
  for (OpId id = 0; id < partner_.size(); ++id)
    if (partner_[id] != kNoOp && program_->ops[id].kind == OpKind::receive)
      found.push_back({id, partner_[id]});
  return found;
}

std::string State::key() const {
  std::string key;
  const auto add = [&](OpId id) { key.append(reinterpret_cast<const char*>(&id), sizeof(id)); };
  for (OpId at : at_) add(at);
  for (bool entered : entered_) key.push_back(entered ? 1 : 0);
  for (OpId id = 0; id < partner_.size(); ++id)
    if (program_->ops[id].kind == OpKind::receive) add(partner_[id]);
  return key;
}

End end_of(const State& state) {
  if (!state.enabled().empty()) return End::unfinished;
  return state.finished() ? End::complete : End::deadlock;
}

Result<Replayed> replay(const Program& program, Buffering buffering, const Schedule& schedule) {
  State state(program, buffering);
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (auto why = state.refusal(schedule[i]))
      return Error{fmt::format("step {}, {}: {}", i + 1, print_step(program, schedule[i]),
                               print_refusal(program, why))};
    state.take(schedule[i]);
  }
  const End end = end_of(state);
  return Replayed{end, std::move(state)};
}

namespace {

std::string_view name_of(const Program& program, OpId id) {
  return id < program.ops.size() ? std::string_view(program[id].name) : "something unknown";
}

}  // namespace

std::string print_refusal(const Program& program, const Refusal& refusal) {
  const auto op = name_of(program, refusal.op), other = name_of(program, refusal.other);
  switch (refusal.why) {
    case Why::none:
      return {};
    case Why::unknown:
      return "there is no such operation";
    case Why::not_issuable:
      return fmt::format("{} is nothing that is issued", op);
    case Why::issued_before:
      return fmt::format("{} is issued already", op);
    case Why::not_reached:
      return fmt::format("process {} is not at {}", program[refusal.op].process, op);
    case Why::not_issued:
      return fmt::format("{} is not issued", op);
    case Why::unmatched:
      return fmt::format("{} is not matched", op);
    case Why::not_entered:
      return fmt::format("process {} has not entered the collective of {}", refusal.other, op);
    case Why::no_message:
      return fmt::format("there is no message for {}", op);
    case Why::not_blocking:
      return fmt::format("{} does not block", op);
    case Why::no_receive:
      return fmt::format("{} is no receive", op);
    case Why::no_send:
      return fmt::format("{} is no send", op);
    case Why::matched_before:
      return fmt::format("{} is matched with {} already", op, other);
    case Why::not_accepted:
      return fmt::format("{} does not accept {}", op, other);
    case Why::earlier_send:
      return fmt::format("{} was sent before {} and is not received", op, other);
    case Why::earlier_receive:
      return fmt::format("{} was posted earlier, accepts {} and is not matched", op, other);
  }
  return {};
}

std::string print_step(const Program& program, const Step& step) {
  const auto name = name_of(program, step.op);
  if (step.what == Step::What::issue) return fmt::format("issue {}", name);
  if (step.what == Step::What::pass) return fmt::format("pass {}", name);
  return fmt::format("{} takes {}", name, name_of(program, step.send));
}

std::string print_schedule(const Program& program, const Schedule& schedule) {
  std::string text;
  for (const auto& step : schedule) text += print_step(program, step) + '\n';
  return text;
}

std::vector<std::int64_t> values_of(const Program& program, const std::vector<Match>& matching) {
  std::vector<std::int64_t> values(program.ops.size());
  // A value depends only on values received before it was sent, so as many rounds as matches are
  // enough; one is when the order of the processes is that of the messages.
  for (std::size_t round = 0; round < matching.size(); ++round) {
    bool changed = false;
    for (const auto& [receive, send] : matching) {
      const ExprId expr = program[send].expr;
      const std::int64_t value = expr == kNoExpr ? 0 : evaluate(program, expr, values);
      changed |= values[receive] != value;
      values[receive] = value;
    }
    if (!changed) break;
  }
  return values;
}

}  // namespace vouch::predict
