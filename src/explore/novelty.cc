#include "explore/novelty.h"

#include <string_view>

#include "base/hash.h"

namespace vouch::explore {
namespace {

using predict::Operation;
using predict::OpKind;

}  // namespace

Turns::Turns(const Observation& run, const Analysed& analysed)
    : run_(run), analysed_(analysed), before_(analysed.events.size()) {
  const predict::Program& program = run.program;
  for (const std::string& site : program.sites) sites_.push_back(hash_of(site));
  std::vector<std::size_t> event_of(program.ops.size(), analysed.events.size());
  for (std::size_t i = 0; i < analysed.events.size(); ++i) event_of[analysed.events[i].op] = i;
  for (int p = 0; p < program.processes(); ++p) {
    std::uint64_t turn = 0, state = mix(1, static_cast<std::uint64_t>(p));
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      const Operation& op = program[id];
      const std::uint64_t place = mix(sites_[op.site.value], static_cast<std::uint64_t>(op.kind));
      const std::size_t event = event_of[id];
      if (event < before_.size()) {
        before_[event] = {mix(turn, place), mix(state, place)};
        turn = mix(place, kind(run.met[id], analysed.events[event].source));
      } else {
        turn = mix(turn, place);
      }
      // In whatever order: a sum.
      const bool takes = op.kind == OpKind::receive || op.kind == OpKind::probe;
      state += takes ? mix(place, kind(run.met[id], -1)) : place;
    }
  }
}

std::uint64_t Turns::kind(OpId send, int label) const {
  if (send == kNoOp) return static_cast<std::uint64_t>(label);
  const Operation& op = run_.program[send];
  return mix(sites_[op.site.value], static_cast<std::uint64_t>(op.tag));
}

Novel Turns::with(std::size_t event, std::uint64_t kind) const {
  return {mix(before_[event].turn, kind), mix(before_[event].state, kind)};
}

Novel Turns::got(std::size_t event) const {
  const Event& e = analysed_.events[event];
  return with(event, kind(is_pick(e.id) ? kNoOp : run_.met[e.op], e.source));
}

Novel Turns::other(std::size_t event, const Alternative& a) const {
  return with(event, kind(is_pick(analysed_.events[event].id) ? kNoOp : a.send, a.source));
}

void Novelty::add(const Novel& one) {
  turns_.insert(one.turn);
  states_.insert(one.state);
}

int Novelty::rank(const Novel& one) const {
  return !turns_.contains(one.turn) ? 0 : !states_.contains(one.state) ? 1 : 2;
}

}  // namespace vouch::explore
