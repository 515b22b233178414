#include "explore/observation.h"

#include <algorithm>

namespace vouch::explore {

using predict::Operation;
using predict::OpKind;

int Choice::label() const {
  if (!several) return chosen.empty() ? -1 : chosen[0];
  int mask = 0;
  for (const int place : chosen) {
    if (place >= kMostPlaces) return -1;
    mask |= 1 << place;
  }
  return mask;
}

policy::Pick Choice::pick_of(bool several, int label) {
  policy::Pick pick{policy::Pick::What::indices, {}};
  if (!several) pick.indices.push_back(label);
  for (int place = 0; several && place < kMostPlaces; ++place)
    if ((label >> place & 1) != 0) pick.indices.push_back(place);
  return pick;
}

int rank_in(const std::map<int, std::vector<int>>& members, int comm, int process) {
  const auto of = members.find(comm);
  if (of == members.end()) return process;
  return static_cast<int>(std::find(of->second.begin(), of->second.end(), process) -
                          of->second.begin());
}

void settle(Observation& run, const Decisions& forced) {
  predict::Program program = run.program;
  for (int p = 0, number = 0; p < program.processes(); ++p, number = 0) {
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      if (!is_event(run.program[id])) continue;
      const EventId event{p, number++};
      const auto at =
          std::lower_bound(forced.begin(), forced.end(), event,
                           [](const Decision& d, EventId wanted) { return d.event < wanted; });
      if (at != forced.end() && at->event == event) program.ops[id].peer = at->source;
    }
  }
  std::vector<bool> taken(program.ops.size());
  for (OpId id = 0; id < program.ops.size(); ++id)
    if (program[id].kind == OpKind::receive && run.met[id] != kNoOp) taken[run.met[id]] = true;
  std::vector<std::vector<OpId>> left(static_cast<std::size_t>(program.processes()));
  for (OpId id = 0; id < program.ops.size(); ++id)
    if (program[id].kind == OpKind::send && !taken[id])
      left[static_cast<std::size_t>(program[id].peer)].push_back(id);

  for (int p = 0; p < program.processes(); ++p) {
    std::vector<OpId> pending;
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id)
      if (program[id].kind == OpKind::receive && run.met[id] == kNoOp) pending.push_back(id);
    if (pending.empty()) continue;
    // The process stands in its last operation, if that has not completed.
    const Operation& last = program[program.first[p + 1] - 1];
    std::vector<OpId> blocked;
    if (last.kind == OpKind::wait)
      for (const OpId id : last.completes)
        if (program[id].kind == OpKind::receive && run.met[id] == kNoOp) blocked.push_back(id);
    // Of several it is enough that one has nothing; only one alone is surely without.
    if (blocked.size() > 1) blocked.clear();
    auto& messages = left[static_cast<std::size_t>(p)];
    const auto give = [&](OpId receive, OpId send) {
      run.met[receive] = send;
      std::erase(messages, send);
      std::erase(pending, receive);
    };
    for (const OpId stuck : blocked) {
      for (const OpId send : std::vector<OpId>(messages)) {
        if (!predict::accepts(program[stuck], program[send])) continue;
        const auto earlier = std::find_if(pending.begin(), pending.end(), [&](OpId r) {
          return r < stuck && predict::accepts(program[r], program[send]);
        });
        if (earlier != pending.end()) give(*earlier, send);
      }
      std::erase(pending, stuck);
    }
    for (const OpId receive : std::vector<OpId>(pending)) {
      const auto fits = std::find_if(messages.begin(), messages.end(), [&](OpId s) {
        return predict::accepts(program[receive], program[s]);
      });
      if (fits != messages.end()) give(receive, *fits);
    }
  }
}

}  // namespace vouch::explore
