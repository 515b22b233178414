#include "trace_program/forced.h"

#include <algorithm>

namespace vouch {

policy::Schedule forced(const TraceProgram& trace, const predict::Schedule& witness) {
  policy::Schedule schedule;
  const predict::Program& program = trace.program;
  for (const predict::Step& step : witness) {
    if (step.what != predict::Step::What::match || step.op >= trace.wildcards.size()) continue;
    const std::int64_t number = trace.wildcards[step.op];
    if (number < 0) continue;
    const predict::Operation& receive = program[step.op];
    const predict::Operation& send = program[step.send];
    policy::Match match{send.process, policy::kNoTag};
    if (const auto members = trace.members.find(receive.comm); members != trace.members.end()) {
      const auto at = std::find(members->second.begin(), members->second.end(), send.process);
      if (at == members->second.end()) continue;
      match.source = static_cast<std::int32_t>(at - members->second.begin());
    }
    if (receive.tag == predict::kAny) match.tag = send.tag;
    schedule.ranks[receive.process].decide(static_cast<std::size_t>(number), match);
  }
  schedule.normalize();
  return schedule;
}

}  // namespace vouch
