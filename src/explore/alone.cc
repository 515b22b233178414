#include "explore/alone.h"

#include <algorithm>

#include <fmt/format.h>

#include "predict/questions/questions.h"

namespace vouch::explore {
namespace {

using predict::Operation;
using predict::OpKind;
using predict::SyncGroup;

// How much each message to a rank tells of what that rank has sent: goes through the operations of
// all processes, each as far as what it needs is there.
class Knowledge {
 public:
  // `from`: sends and collectives of the rank count from this operation on.
  Knowledge(const Observation& run, int rank, OpId from)
      : run_(run),
        program_(run.program),
        rank_(rank),
        from_(from),
        at_(program_.first.begin(), program_.first.end() - 1),
        known_(static_cast<std::size_t>(program_.processes())),
        issued_(program_.ops.size()),
        told_(program_.ops.size()) {}

  bool go() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int p = 0; p < program_.processes(); ++p)
        while (at_[p] < program_.first[p + 1] && step(p)) moved = true;
    }
    for (int p = 0; p < program_.processes(); ++p)
      if (at_[p] < program_.first[p + 1]) return false;
    return true;
  }
  std::uint32_t told(OpId send) const { return told_[send]; }

 private:
  bool step(int p) {
    const OpId id = at_[p];
    const Operation& op = program_[id];
    if (!issued_[id]) {
      issued_[id] = true;
      const bool gives = op.kind == OpKind::send || op.kind == OpKind::sync;
      if (p == rank_ && gives && id >= from_) ++known_[static_cast<std::size_t>(p)];
      told_[id] = known_[static_cast<std::size_t>(p)];
    }
    const bool passed = op.kind == OpKind::wait                  ? wait(p, op)
                        : op.kind == OpKind::probe               ? hear(p, run_.met[id])
                        : op.kind == OpKind::sync && op.blocking ? leave(p, op)
                                                                 : true;
    at_[p] += passed;
    return passed;
  }

  bool hear(int p, OpId send) {
    if (send == kNoOp || !issued_[send]) return false;
    auto& mine = known_[static_cast<std::size_t>(p)];
    if (p != rank_) mine = std::max(mine, told_[send]);
    return true;
  }

  bool wait(int p, const Operation& op) {
    for (const OpId id : op.completes) {
      if (program_[id].kind == OpKind::receive && !hear(p, run_.met[id])) return false;
      if (program_[id].kind == OpKind::sync && !leave(p, program_[id])) return false;
    }
    return true;
  }

  bool leave(int p, const Operation& op) {
    const SyncGroup& group = program_.groups[op.group];
    const auto me = static_cast<std::size_t>(
        std::find(group.members.begin(), group.members.end(), p) - group.members.begin());
    for (const std::size_t other : predict::needs(group, me, predict::Buffering::infinite)) {
      const OpId theirs = group.ops[other];
      if (theirs == kNoOp || !hear(p, theirs)) return false;
    }
    return true;
  }

  const Observation& run_;
  const predict::Program& program_;
  const int rank_;
  const OpId from_;
  std::vector<OpId> at_;
  std::vector<std::uint32_t> known_;  // by process
  std::vector<bool> issued_;
  std::vector<std::uint32_t> told_;  // by operation, where it is issued
};

}  // namespace

Result<AlonePlan> plan_alone(const Observation& run, const Analysed& analysed,
                             const Decisions& fixed) {
  const predict::Program& program = run.program;
  if (run.cut || !run.whole || !analysed.stuck.empty())
    return Error{"it was ended, or not all of it is known"};
  AlonePlan plan;
  plan.rank = -1;
  for (const Event& e : analysed.events) {
    if (is_pick(e.id)) return Error{"requests are picked"};
    if (plan.rank >= 0 && e.id.rank != plan.rank)
      return Error{"several ranks receive from any source"};
    plan.rank = e.id.rank;
  }
  if (plan.rank < 0) return Error{"nothing is received from any source"};
  if (!analysed.unreceived.empty()) return Error{"messages are left over"};
  OpId copied_at = kNoOp;
  for (const Event& e : analysed.events) {
    const bool is_fixed =
        std::any_of(fixed.begin(), fixed.end(), [&](const Decision& d) { return d.event == e.id; });
    if (!is_fixed && copied_at == kNoOp) {
      copied_at = e.op;
      plan.first = static_cast<std::uint32_t>(e.id.number);
    }
    plan.events.push_back({rank_in(run.members, e.comm, e.source), is_fixed});
  }
  if (copied_at == kNoOp) return Error{"nothing is open"};
  for (const Operation& op : program.ops) {
    if (op.by_test) return Error{"its ranks test or probe without waiting"};
    if (op.kind == OpKind::send && op.mode == predict::SendMode::synchronous)
      return Error{"it has synchronous sends"};
  }
  for (const Mark& m : run.marks)
    if (m.abstracted) return Error{"it marks loops"};
  Knowledge known(run, plan.rank, copied_at);
  if (!known.go()) return Error{"its operations do not come to an end"};
  for (OpId id = program.first[plan.rank]; id < program.first[plan.rank + 1]; ++id) {
    const bool gives = program[id].kind == OpKind::send || program[id].kind == OpKind::sync;
    plan.sends += gives && id >= copied_at;
    if (program[id].kind != OpKind::receive) continue;
    const OpId send = run.met[id];
    if (send == kNoOp) return Error{"a receive got nothing"};
    const Operation& from = program[send];
    plan.messages.push_back({rank_in(run.members, program[id].comm, from.process), from.tag,
                             send - program.first[from.process], known.told(send)});
  }
  return plan;
}

Decision decided(const Observation& run, EventId event, int rank) {
  int number = 0;
  for (OpId id = run.program.first[event.rank]; id < run.program.first[event.rank + 1]; ++id) {
    if (!is_event(run.program[id]) || number++ != event.number) continue;
    const auto of = run.members.find(run.program[id].comm);
    const bool world = of == run.members.end();
    return {event, world ? rank : of->second.at(static_cast<std::size_t>(rank)), rank};
  }
  return {event, rank, rank};
}

bool never_stuck(const Observation& run, double seconds) {
  predict::Program program = run.program;
  for (OpId id = 0; id < program.ops.size(); ++id) program.ops[id].name = fmt::format("o{}", id);
  if (!predict::defect(program).empty()) return false;
  predict::QuestionOptions options;
  options.limits.seconds = seconds;
  return predict::Predictor(program, options).deadlock(predict::Buffering::zero).outcome ==
         predict::Outcome::proved;
}

}  // namespace vouch::explore
