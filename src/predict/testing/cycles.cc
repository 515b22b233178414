#include "predict/testing/cycles.h"

#include <algorithm>

namespace vouch::predict {

DependencyGraph::DependencyGraph(const Program& program, const MatchPairs& pairs)
    : next(program.ops.size()) {
  const auto certified = nearest_waits(program);
  for (int p = 0; p < program.processes(); ++p) {
    std::vector<OpId> receives;
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      const auto kind = program[id].kind;
      if (kind == OpKind::receive) receives.push_back(id);
      vertices += kind == OpKind::receive || kind == OpKind::send;
      if (kind != OpKind::send) continue;
      const auto takers = pairs.receives_of(id);
      next[id].assign(takers.begin(), takers.end());
      match_edges += takers.size();
      for (OpId r : receives) {
        if (certified[r] >= id) continue;
        next[r].push_back(id);
        ++order_edges;
      }
    }
  }
}

namespace {

// Johnson's search on the receives alone (a send between two of them adds nothing but copies of the
// same instance), with processes in the place of vertices on the path: a receive from which no
// cycle could be closed stays blocked until something that stood in its way leaves the path.
class Search {
 public:
  Search(const Program& program, const MatchPairs& pairs,
         const std::function<bool(const std::vector<OpId>&)>& found, const CycleLimits& limits)
      : program_(program),
        found_(found),
        limits_(limits),
        next_(program.ops.size()),
        blocked_(program.ops.size()),
        unblocks_(program.ops.size()),
        on_path_(static_cast<std::size_t>(program.processes())),
        waiting_for_(on_path_.size()) {
    contract(pairs);
  }

  CycleEnd run() {
    for (start_ = 0; start_ < program_.ops.size() && end_ == CycleEnd::all; ++start_) {
      if (next_[start_].empty()) continue;
      start_process_ = program_[start_].process;
      for (OpId touched : touched_) {
        blocked_[touched] = false;
        unblocks_[touched].clear();
      }
      for (auto& list : waiting_for_) list.clear();
      touched_.clear();
      visit(start_);
    }
    return end_;
  }

 private:
  void contract(const MatchPairs& pairs) {
    const DependencyGraph graph(program_, pairs);
    std::vector<OpId> seen(program_.ops.size(), kNoOp);
    for (OpId r = 0; r < program_.ops.size(); ++r) {
      if (program_[r].kind != OpKind::receive) continue;
      for (OpId s : graph.next[r])
        for (OpId taker : graph.next[s]) {
          if (seen[taker] == r || program_[taker].process == program_[r].process) continue;
          seen[taker] = r;
          next_[r].push_back(taker);
        }
    }
  }

  void unblock(OpId r) {
    std::vector<OpId> open{r};
    while (!open.empty()) {
      const OpId one = open.back();
      open.pop_back();
      if (!blocked_[one]) continue;
      blocked_[one] = false;
      open.insert(open.end(), unblocks_[one].begin(), unblocks_[one].end());
      unblocks_[one].clear();
    }
  }

  bool visit(OpId r) {
    const auto process = static_cast<std::size_t>(program_[r].process);
    bool closed = false;
    path_.push_back(r);
    on_path_[process] = true;
    blocked_[r] = true;
    touched_.push_back(r);
    for (OpId to : next_[r]) {
      if (end_ != CycleEnd::all) break;
      if (++steps_ > limits_.steps) end_ = CycleEnd::limit;
      if (to == start_) {
        closed = true;
        report();
      } else if (open(to) && visit(to)) {
        closed = true;
      }
    }
    on_path_[process] = false;
    path_.pop_back();
    if (closed)
      unblock(r);
    else
      for (OpId to : next_[r])
        if (program_[to].process > start_process_) {
          unblocks_[to].push_back(r);
          waiting_for_[static_cast<std::size_t>(program_[to].process)].push_back(r);
        }
    for (OpId one : std::exchange(waiting_for_[process], {})) unblock(one);
    return closed;
  }

  bool open(OpId to) const {
    const int process = program_[to].process;
    return process > start_process_ && !on_path_[static_cast<std::size_t>(process)] &&
           !blocked_[to];
  }

  void report() {
    if (++cycles_ > limits_.cycles)
      end_ = CycleEnd::limit;
    else if (!found_(path_))
      end_ = CycleEnd::stopped;
  }

  const Program& program_;
  const std::function<bool(const std::vector<OpId>&)>& found_;
  const CycleLimits limits_;
  std::vector<std::vector<OpId>> next_;         // by receive
  std::vector<bool> blocked_;                   // by receive
  std::vector<std::vector<OpId>> unblocks_;     // by receive: freed with it
  std::vector<bool> on_path_;                   // by process
  std::vector<std::vector<OpId>> waiting_for_;  // by process: freed when it leaves the path
  std::vector<OpId> touched_, path_;
  OpId start_ = 0;
  int start_process_ = 0;
  std::size_t cycles_ = 0, steps_ = 0;
  CycleEnd end_ = CycleEnd::all;
};

}  // namespace

CycleEnd circular_dependencies(const Program& program, const MatchPairs& pairs,
                               const std::function<bool(const std::vector<OpId>&)>& found,
                               const CycleLimits& limits) {
  return Search(program, pairs, found, limits).run();
}

}  // namespace vouch::predict
