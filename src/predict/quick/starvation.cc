#include "predict/quick/starvation.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "predict/pairs/counting.h"

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

// Receives of one process with the same envelope.
struct Alike {
  OpId first = kNoOp;   // of them
  OpId latest = kNoOp;  // the one that is certified last
  std::size_t count = 0;
};

// Some message has both envelopes.
class Envelopes {
 public:
  explicit Envelopes(const Program& program) {
    for (const auto& s : program.ops) {
      if (s.kind != OpKind::send) continue;
      for (int source : {s.process, kAny})
        for (int tag : {s.tag, kAny}) known_.insert({s.peer, s.comm, source, tag});
    }
  }
  bool meet(const Operation& a, const Operation& b) const {
    if (a.comm != b.comm) return false;
    const auto both = [](int x, int y) { return x == kAny ? y : x; };
    if (a.peer != kAny && b.peer != kAny && a.peer != b.peer) return false;
    if (a.tag != kAny && b.tag != kAny && a.tag != b.tag) return false;
    return known_.contains({a.process, a.comm, both(a.peer, b.peer), both(a.tag, b.tag)});
  }

 private:
  std::set<std::array<int, 4>> known_;  // destination, communicator, source, tag
};

}  // namespace

std::vector<Candidate> starvation_candidates(const Program& program) {
  const auto certified = nearest_waits(program);
  const Envelopes envelopes(program);
  std::vector<Candidate> found;
  for (int p = 0; p < program.processes(); ++p) {
    std::map<std::array<int, 3>, Alike> earlier;  // source, tag, communicator
    for (OpId x = program.first[p]; x < program.first[p + 1]; ++x) {
      const auto& op = program[x];
      const bool is_receive = op.kind == OpKind::receive;
      if (!is_receive && op.kind != OpKind::probe) continue;
      const OpId counted_at = is_receive ? certified[x] : x;
      Candidate candidate{x};
      for (const auto& [envelope, alike] : earlier) {
        if (!envelopes.meet(op, program[alike.first])) continue;
        candidate.takers += alike.count;
        if (candidate.taker != kNoOp) continue;
        if (!covers(op, program[alike.first]))
          candidate.taker = alike.first;
        else if (certified[alike.latest] > counted_at)
          candidate.taker = alike.latest;
      }
      if (candidate.taker != kNoOp) found.push_back(candidate);
      if (!is_receive) continue;
      auto& mine = earlier[{op.peer, op.tag, op.comm}];
      if (mine.count++ == 0) mine.first = mine.latest = x;
      if (certified[x] > certified[mine.latest]) mine.latest = x;
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
