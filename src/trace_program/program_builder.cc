#include "trace_program/program_builder.h"

namespace vouch {

using predict::OpKind;

ProgramBuilder::ProgramBuilder(const TextTrace& trace, std::vector<Rank> ranks, Gap gap)
    : trace_(trace), ranks_(std::move(ranks)), gap_(std::move(gap)), values_(carrier(ranks_)) {}

Carrier ProgramBuilder::carrier(const std::vector<Rank>& ranks) {
  std::vector<std::vector<Carrier::Message>> messages(ranks.size());
  std::vector<const Carrier::Claims*> claims;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    claims.push_back(ranks[r].claims);
    for (const TracedOp& e : *ranks[r].ops) {
      Carrier::Message m;
      m.sends = e.op.kind == OpKind::send && !e.dropped;
      m.receives = e.op.kind == OpKind::receive && !e.dropped;
      m.comm = e.op.comm;
      m.source = m.sends ? e.op.process : e.op.peer != predict::kAny ? e.op.peer : e.source;
      m.dest = m.sends ? e.op.peer : e.op.process;
      m.tag = e.op.tag != predict::kAny ? e.op.tag : e.tag;
      m.value = e.value;
      m.forwards = e.forwards;
      messages[r].push_back(m);
    }
  }
  return {std::move(messages), claims};
}

Result<predict::Program> ProgramBuilder::build(const std::vector<TracedComm>& comms) {
  predict::Builder builder(static_cast<int>(ranks_.size()));
  for (const TracedComm& c : comms) builder.communicator(c.number, c.members);
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Carrier::Handles handles(ranks_[r].ops->size());
    for (std::size_t i = 0; i < handles.size(); ++i) add(builder, r, i, handles);
  }
  auto program = std::move(builder).build();
  if (program.ok()) check_as_observed(*program);
  return program;
}

// What we read must say of this run what the program said.
void ProgramBuilder::check_as_observed(const predict::Program& program) const {
  std::vector<std::int64_t> values(program.ops.size());
  for (const auto& [id, value] : got_) values[id] = value;
  for (const auto& [id, holds] : claimed_)
    if ((evaluate(program, program[id].expr, values) != 0) != holds)
      gap_("conditions", "one of them is read differently than by the program");
}

void ProgramBuilder::add(predict::Builder& builder, std::size_t number, std::size_t i,
                         Carrier::Handles& handles) {
  std::vector<TracedOp>& ops = *ranks_[number].ops;
  const Carrier::Claims& claims = *ranks_[number].claims;
  TracedOp& entry = ops[i];
  predict::Operation& op = entry.op;
  // Nobody knows whether it was matched: a receive whose request was freed or is still pending.
  if (op.kind == OpKind::receive && !entry.waited && !entry.dropped) {
    entry.dropped = true;
    gap_("receives", "that were never seen to complete are left out");
  }
  if (entry.dropped) return;
  const std::string place =
      op.site.value < trace_.sites.size() ? trace_.sites[op.site.value] : std::string();
  const Site site = place.empty() ? Site{} : builder.site(place);
  const int process = op.process, peer = op.peer, comm = op.comm;
  const auto kind = static_cast<predict::SyncKind>(op.group);
  const bool by_test = op.by_test;
  if (op.kind == OpKind::send) op.expr = values_.sent_value(builder, number, i, handles);
  if (const auto claim = claims.find(i); claim != claims.end()) {
    const char* word = op.kind == OpKind::assume ? "VOUCH_ASSUME(" : "VOUCH_ASSERT(";
    op.expr = values_.condition(
        builder, number, claim->second, handles,
        [&](const std::string& why) { gap_(word + claim->second.condition + ")", why); });
    if (op.expr == predict::kNoExpr) return;
    op.variable = claim->second.condition;
    claimed_.emplace_back(wildcards_.size(), claim->second.holds);
  }
  const predict::ExprId expr = op.expr;
  switch (op.kind) {
    case OpKind::assume:
      handles[i] = builder.assume(process, expr, std::move(op));
      break;
    case OpKind::assertion:
      handles[i] = builder.assertion(process, expr, std::move(op));
      break;
    case OpKind::send:
      handles[i] = builder.send(process, peer, std::move(op));
      break;
    case OpKind::receive:
      handles[i] = builder.receive(process, peer, std::move(op));
      break;
    case OpKind::probe:
      handles[i] = builder.probe(process, peer, std::move(op));
      break;
    case OpKind::sync:
      handles[i] = builder.sync(process, comm, kind, peer, std::move(op));
      break;
    default: {
      std::vector<predict::Builder::Handle> completes;
      for (const std::size_t c : entry.completes)
        if (!ops[c].dropped) completes.push_back(handles[c]);
      if (completes.empty()) return;
      handles[i] = builder.wait(process, std::move(completes), by_test);
    }
  }
  builder.describe(handles[i], "", site);
  if (const auto value = values_.got(number, i)) got_.emplace_back(wildcards_.size(), *value);
  wildcards_.push_back(entry.wildcard);
}

}  // namespace vouch
