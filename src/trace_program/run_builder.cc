#include "trace_program/run_builder.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace vouch {
namespace {

using predict::kNoOp;
using predict::OpId;
using predict::OpKind;

constexpr std::size_t kMostCancelled = 100;  // that are looked at: each costs as much as all sends

class RunBuilder {
 public:
  RunBuilder(const TextTrace& trace, const std::vector<const std::vector<TracedOp>*>& ranks,
             const std::vector<TracedComm>& comms)
      : trace_(trace), ranks_(ranks), ids_(ranks.size()) {
    for (const TracedComm& c : comms) {
      run_.members[c.number] = c.members;
      comm_ids_[c.number] = c.id;
    }
  }

  RunProgram build() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      std::map<int, int> collectives;
      for (const TracedOp& entry : *ranks_[r]) {
        ids_[r].push_back(kNoOp);
        add(r, entry, collectives);
      }
      run_.program.first.push_back(static_cast<OpId>(run_.program.ops.size()));
    }
    match();
    run_.cancels = cancelled_.size() == kMostCancelled ||
                   std::any_of(cancelled_.begin(), cancelled_.end(),
                               [this](const Cancelled& c) { return may_come_first(c); });
    return std::move(run_);
  }

 private:
  struct Cancelled {
    predict::Operation op;
    OpId at;  // the operations of its process before it come before this one
  };

  void add(std::size_t r, const TracedOp& entry, std::map<int, int>& collectives) {
    predict::Operation op = entry.op;
    if (op.kind == OpKind::assume || op.kind == OpKind::assertion) return;
    const bool wild = op.kind == OpKind::receive && op.peer == predict::kAny;
    const auto id = static_cast<OpId>(run_.program.ops.size());
    if (entry.dropped && op.kind == OpKind::receive && cancelled_.size() < kMostCancelled)
      cancelled_.push_back({op, id});
    if (entry.dropped && !wild) return;
    if (entry.dropped) op.comm = RunProgram::kNowhere;
    for (const std::size_t c : entry.completes) {
      if (ids_[r][c] == kNoOp || (*ranks_[r])[c].dropped) continue;
      op.completes.push_back(ids_[r][c]);
      run_.program.ops[ids_[r][c]].wait = id;
    }
    if (op.kind == OpKind::wait && op.completes.empty()) return;
    const auto comm = comm_ids_.find(op.comm);
    run_.asked.push_back({entry.call, entry.thread, comm == comm_ids_.end() ? 0 : comm->second,
                          entry.picks, entry.digest});
    if (op.kind == OpKind::sync) join(collectives[op.comm]++, op, id);
    op.site = place_of(op.site);
    if (!entry.chosen.empty()) {
      RunProgram::Choice choice{id, entry.picks, entry.several, entry.chosen, {}};
      for (const auto& [index, request] : entry.open)
        if (ids_[r][request] != kNoOp) choice.open.emplace_back(index, ids_[r][request]);
      run_.choices.push_back(std::move(choice));
    }
    ids_[r].back() = id;
    run_.program.ops.push_back(std::move(op));
    run_.marks.push_back(entry.mark);
  }

  Site place_of(Site site) {
    const std::string place =
        site.value < trace_.sites.size() ? trace_.sites[site.value] : std::string();
    if (place.empty()) return {};
    const auto [at, added] =
        places_.emplace(place, static_cast<std::uint32_t>(run_.program.sites.size()));
    if (added) run_.program.sites.push_back(place);
    return Site{at->second};
  }

  void join(int number, predict::Operation& op, OpId id) {
    const auto [at, added] = groups_.emplace(
        std::pair(op.comm, number), static_cast<std::uint32_t>(run_.program.groups.size()));
    if (added) {
      predict::SyncGroup group;
      group.kind = static_cast<predict::SyncKind>(op.group);
      group.root = op.peer;
      group.comm = op.comm;
      const auto members = run_.members.find(op.comm);
      if (members != run_.members.end()) group.members = members->second;
      for (std::size_t r = 0; members == run_.members.end() && r < ranks_.size(); ++r)
        group.members.push_back(static_cast<int>(r));
      group.ops.resize(group.members.size(), kNoOp);
      group.sources.resize(group.members.size());
      run_.program.groups.push_back(std::move(group));
    }
    predict::SyncGroup& group = run_.program.groups[at->second];
    op.group = at->second;
    for (std::size_t m = 0; m < group.members.size(); ++m)
      if (group.members[m] == op.process) {
        group.ops[m] = id;
        group.sources[m] = op.sources;
      }
  }

  // Among what has one communicator, source, destination and tag the k-th send meets the k-th
  // receive.
  void match() {
    using Key = std::array<int, 4>;
    std::map<Key, std::vector<OpId>> sends;
    std::map<Key, std::size_t> received;
    run_.met.assign(run_.program.ops.size(), kNoOp);
    for (OpId id = 0; id < run_.program.ops.size(); ++id) {
      const predict::Operation& op = run_.program[id];
      if (op.kind == OpKind::send) sends[{op.comm, op.process, op.peer, op.tag}].push_back(id);
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      for (std::size_t i = 0; i < ids_[r].size(); ++i) {
        const TracedOp& entry = (*ranks_[r])[i];
        const OpId id = ids_[r][i];
        if (id == kNoOp) continue;
        const predict::Operation& op = run_.program[id];
        if (op.kind != OpKind::receive && op.kind != OpKind::probe) continue;
        const bool told = entry.source >= 0;
        // Or the call itself has named it.
        const bool named = op.peer != predict::kAny && op.tag != predict::kAny && entry.complete;
        if (!told && !named) continue;
        const Key key{op.comm, told ? entry.source : op.peer, op.process,
                      told ? entry.tag : op.tag};
        std::size_t& next = received[key];
        const auto queue = sends.find(key);
        if (queue == sends.end() || next >= queue->second.size()) continue;
        run_.met[id] = queue->second[next];
        next += op.kind == OpKind::receive;
      }
    }
  }

  // A message that it accepts was received later in the process, or not at all.
  bool may_come_first(const Cancelled& cancelled) const {
    std::set<OpId> before;
    const auto first = run_.program.first[static_cast<std::size_t>(cancelled.op.process)];
    for (OpId id = first; id < cancelled.at; ++id)
      if (run_.program[id].kind == OpKind::receive) before.insert(run_.met[id]);
    for (OpId id = 0; id < run_.program.ops.size(); ++id)
      if (const predict::Operation& op = run_.program[id];
          op.kind == OpKind::send && predict::accepts(cancelled.op, op) && !before.contains(id))
        return true;
    return false;
  }

  const TextTrace& trace_;
  const std::vector<const std::vector<TracedOp>*>& ranks_;
  std::vector<std::vector<OpId>> ids_;  // by rank, by its operation
  std::map<int, std::uint64_t> comm_ids_;
  std::map<std::pair<int, int>, std::uint32_t> groups_;  // communicator, n-th of it
  std::map<std::string, std::uint32_t> places_;
  std::vector<Cancelled> cancelled_;
  RunProgram run_;
};

}  // namespace

RunProgram build_run_program(const TextTrace& trace,
                             const std::vector<const std::vector<TracedOp>*>& ranks,
                             const std::vector<TracedComm>& comms) {
  return RunBuilder(trace, ranks, comms).build();
}

}  // namespace vouch
