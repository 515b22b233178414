#include "predict/starvation.h"

#include <algorithm>
#include <set>

#include "predict/counting.h"

namespace vouch::predict {
namespace {

// The kinds of messages a receive may get, one send for each.
std::vector<OpId> kinds_of(const Program& program, const MatchPairs& pairs, OpId receive) {
  std::set<std::pair<int, int>> seen;  // source, tag
  std::vector<OpId> kinds;
  for (OpId s : pairs.sends_of(receive))
    if (seen.insert({program[s].process, program[s].tag}).second) kinds.push_back(s);
  return kinds;
}

}  // namespace

std::vector<Candidate> starvation_candidates(const Program& program, const MatchPairs& pairs) {
  const auto certified = nearest_waits(program);
  std::vector<Candidate> found;
  for (int p = 0; p < program.processes(); ++p) {
    struct Earlier {
      OpId receive;
      std::vector<OpId> kinds;
    };
    std::vector<Earlier> earlier;
    for (OpId x = program.first[p]; x < program.first[p + 1]; ++x) {
      const auto& op = program[x];
      const bool is_receive = op.kind == OpKind::receive;
      if (!is_receive && op.kind != OpKind::probe) continue;
      const OpId counted_at = is_receive ? certified[x] : x;
      Candidate candidate{x};
      for (const auto& [c, kinds] : earlier) {
        if (program[c].comm != op.comm) continue;
        const bool takes = std::any_of(kinds.begin(), kinds.end(),
                                       [&](OpId s) { return accepts(op, program[s]); });
        if (!takes) continue;
        ++candidate.takers;
        const bool counted = covers(op, program[c]) && certified[c] <= counted_at;
        if (!counted && candidate.taker == kNoOp) candidate.taker = c;
      }
      if (candidate.taker != kNoOp) found.push_back(candidate);
      if (is_receive) earlier.push_back({x, kinds_of(program, pairs, x)});
    }
  }
  return found;
}

namespace {

// The candidates of one process, one after the other, all open ones of the others held. True if
// one was refuted.
bool refute_of(const Program& program, std::vector<Candidate>& all, std::size_t from,
               std::size_t to) {
  CountingMachine machine(program);
  for (const auto& candidate : all)
    if (!candidate.refuted) machine.suspend(candidate.receive);
  bool changed = false;
  for (std::size_t i = from; i < to; ++i) {
    auto& mine = all[i];
    if (mine.refuted) continue;
    machine.run();
    if (mine.takers < machine.sent_for(mine.receive)) mine.refuted = changed = true;
    machine.release(mine.receive);
  }
  return changed;
}

}  // namespace

void refute(const Program& program, std::vector<Candidate>& candidates) {
  // A refuted one no longer holds its process, which may refute others.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from < candidates.size();) {
      const int p = program[candidates[from].receive].process;
      std::size_t to = from;
      while (to < candidates.size() && program[candidates[to].receive].process == p) ++to;
      changed |= refute_of(program, candidates, from, to);
      from = to;
    }
  }
}

}  // namespace vouch::predict
