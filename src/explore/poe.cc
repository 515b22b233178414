#include "explore/poe.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace vouch::explore {
namespace {

using predict::Buffering;
using predict::Operation;
using predict::OpKind;
using predict::SyncGroup;

// A run once more, with one wildcard held back.
class Held {
 public:
  Held(const Observation& run, OpId wildcard, Buffering buffering)
      : run_(run),
        program_(run.program),
        wildcard_(wildcard),
        buffering_(buffering),
        at_(program_.first.begin(), program_.first.end() - 1),
        issued_(program_.ops.size()),
        matched_(program_.ops.size()),
        pending_(at_.size()) {}

  std::vector<OpId> choices() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t p = 0; p < at_.size(); ++p) {
        while (at_[p] < program_.first[p + 1] && advance(p)) moved = true;
        moved |= fire(p);
      }
    }
    std::vector<OpId> found;
    if (!issued_[wildcard_]) return found;
    const Operation& w = program_[wildcard_];
    for (const auto& [channel, sends] : channels_) {
      const auto& [source, to, comm] = channel;
      if (to != w.process || comm != w.comm) continue;
      const auto first = std::find_if(sends.begin(), sends.end(), [&](OpId s) {
        return !matched_[s] && predict::accepts(w, program_[s]);
      });
      if (first != sends.end() && free_for(wildcard_, *first)) found.push_back(*first);
    }
    return found;
  }

 private:
  using Channel = std::tuple<int, int, int>;  // source, destination, communicator
  static Channel channel_of(const Operation& send) { return {send.process, send.peer, send.comm}; }

  // Goes beyond the next operation of this process, if it can.
  bool advance(std::size_t p) {
    const OpId id = at_[p];
    const Operation& op = program_[id];
    if (!issued_[id]) {
      issued_[id] = true;
      if (op.kind == OpKind::send) channels_[channel_of(op)].push_back(id);
      if (op.kind == OpKind::receive) pending_[p].push_back(id);
    }
    if (!passed(id)) return false;
    ++at_[p];
    return true;
  }

  bool passed(OpId id) const {
    const Operation& op = program_[id];
    switch (op.kind) {
      case OpKind::send:
        return !op.blocking || complete(id);
      case OpKind::sync:
        return !op.blocking || complete(id);
      case OpKind::wait:
        return std::all_of(op.completes.begin(), op.completes.end(),
                           [&](OpId o) { return complete(o); });
      case OpKind::probe:
        return id != wildcard_ && run_.met[id] != kNoOp && can_take(id, run_.met[id]);
      default:
        return true;
    }
  }

  bool complete(OpId id) const {
    const Operation& op = program_[id];
    if (op.kind == OpKind::receive) return matched_[id];
    if (op.kind == OpKind::send) return !predict::rendezvous(op, buffering_) || matched_[id];
    if (op.kind != OpKind::sync) return true;
    const SyncGroup& group = program_.groups[op.group];
    const auto me = static_cast<std::size_t>(
        std::find(group.members.begin(), group.members.end(), op.process) - group.members.begin());
    const auto needed = predict::needs(group, me, buffering_);
    return std::all_of(needed.begin(), needed.end(), [&](std::size_t other) {
      return group.ops[other] != kNoOp && issued_[group.ops[other]];
    });
  }

  // Receives that were issued before and would take the message have others.
  bool free_for(OpId receive, OpId send) const {
    const auto& earlier = pending_[static_cast<std::size_t>(program_[receive].process)];
    return std::none_of(earlier.begin(), earlier.end(), [&](OpId e) {
      return e < receive && predict::accepts(program_[e], program_[send]);
    });
  }

  bool can_take(OpId receive, OpId send) const {
    if (!issued_[send] || matched_[send]) return false;
    for (const OpId other : channels_.at(channel_of(program_[send]))) {
      if (other == send) break;
      if (!matched_[other] && predict::accepts(program_[receive], program_[other])) return false;
    }
    return free_for(receive, send);
  }

  // Matches what the run has matched.
  bool fire(std::size_t p) {
    bool fired = false;
    auto& waiting = pending_[p];
    for (std::size_t i = 0; i < waiting.size();) {
      const OpId id = waiting[i], send = run_.met[id];
      if (id == wildcard_ || send == kNoOp || !can_take(id, send)) {
        ++i;
        continue;
      }
      matched_[id] = matched_[send] = true;
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
      fired = true;
      i = 0;
    }
    return fired;
  }

  const Observation& run_;
  const predict::Program& program_;
  const OpId wildcard_;
  const Buffering buffering_;
  std::vector<OpId> at_;
  std::vector<bool> issued_, matched_;
  std::vector<std::vector<OpId>> pending_;  // receives, by process
  std::map<Channel, std::vector<OpId>> channels_{};
};

}  // namespace

std::vector<OpId> choices_of(const Observation& run, OpId wildcard, Buffering buffering) {
  return Held(run, wildcard, buffering).choices();
}

void use_match_sets(const Observation& run, Buffering buffering, Analysed& analysed) {
  for (Event& e : analysed.events) {
    if (is_pick(e.id) || e.source < 0) continue;
    std::vector<Alternative> alternatives;
    for (const OpId send : choices_of(run, e.op, buffering)) {
      const int source = run.program[send].process;
      if (source == e.source) continue;
      const auto known = std::find_if(e.alternatives.begin(), e.alternatives.end(),
                                      [&](const Alternative& a) { return a.source == source; });
      alternatives.push_back(known != e.alternatives.end() ? *known
                                                           : Alternative{source, send, {}});
    }
    e.alternatives = std::move(alternatives);
  }
}

void Barriers::add(const Observation& run) {
  constexpr std::size_t kMost = 200;  // each costs as much as looking at the run
  const auto& groups = run.program.groups;
  std::vector<std::string> places(groups.size());
  std::size_t barriers = 0;
  for (OpId id = 0; id < run.program.ops.size(); ++id) {
    const Operation& op = run.program[id];
    const Proc call = run.asked.empty() ? Proc::none : run.asked[id].call;
    if (op.kind != OpKind::sync || (call != Proc::none && call != Proc::barrier) ||
        groups[op.group].kind != predict::SyncKind::all)
      continue;
    barriers += places[op.group].empty();
    // The members may call it in different places; the first one names it.
    if (places[op.group].empty()) places[op.group] = run.program.sites[op.site.value];
  }
  if (barriers == 0) return;
  const bool looked_at = barriers <= kMost && !run.cut;
  const auto irrelevant = looked_at ? irrelevant_barriers(run) : std::vector<std::uint32_t>{};
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    if (places[g].empty()) continue;
    relevant_[places[g]] |= std::find(irrelevant.begin(), irrelevant.end(), g) == irrelevant.end();
  }
}

std::vector<std::string> Barriers::irrelevant() const {
  std::vector<std::string> found;
  for (const auto& [place, relevant] : relevant_)
    if (!relevant) found.push_back(place);
  return found;
}

Observation unbuffered(Observation run, bool collectives) {
  for (Operation& op : run.program.ops)
    if (op.kind == OpKind::send && op.mode == predict::SendMode::standard)
      op.mode = predict::SendMode::synchronous;
  for (SyncGroup& g : run.program.groups)
    if (collectives) g.kind = predict::SyncKind::all;
  return run;
}

}  // namespace vouch::explore
