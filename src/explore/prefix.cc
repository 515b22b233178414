#include "explore/prefix.h"

#include <algorithm>

#include <fmt/format.h>

namespace vouch::explore {
namespace {

using predict::Operation;
using predict::OpKind;

class Spread {
 public:
  Spread(const Observation& run, const Decisions& forced)
      : run_(run), program_(run.program), taken_(program_.ops.size(), kNoOp) {
    for (int p = 0; p < program_.processes(); ++p)
      until_.push_back(program_.first[static_cast<std::size_t>(p) + 1]);
    for (OpId id = 0; id < program_.ops.size(); ++id)
      if (program_[id].kind == OpKind::receive && run.met[id] != kNoOp) taken_[run.met[id]] = id;
    const auto same = [&](EventId event, int source) {
      const auto at =
          std::lower_bound(forced.begin(), forced.end(), event,
                           [](const Decision& d, EventId wanted) { return d.event < wanted; });
      return at != forced.end() && at->event == event && at->source == source;
    };
    for (int p = 0, number = 0; p < program_.processes(); ++p, number = 0) {
      for (OpId id = first(p); id < first(p + 1); ++id) {
        if (!is_event(program_[id])) continue;
        const OpId send = run.met[id];
        if (!same({p, number++}, send == kNoOp ? -1 : program_[send].process)) cut(id);
      }
    }
    for (const Choice& c : run.choices) {
      const int rank = program_[c.wait].process;
      if (!same({rank, kFirstPick + static_cast<int>(c.pick)}, c.label())) cut(c.wait);
    }
  }

  std::vector<OpId> go() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (OpId id = 0; id < program_.ops.size(); ++id)
        if (id < until_[process(id)]) look(id);
    }
    return until_;
  }

 private:
  OpId first(int p) const { return program_.first[static_cast<std::size_t>(p)]; }
  std::size_t process(OpId id) const { return static_cast<std::size_t>(program_[id].process); }
  bool may_differ(OpId id) const { return id >= until_[process(id)]; }
  void cut(OpId id) {
    if (id == kNoOp || may_differ(id)) return;
    until_[process(id)] = id;
    changed_ = true;
  }
  // Where its outcome is known to the program.
  static OpId end(OpId id, const Operation& op) { return op.wait != kNoOp ? op.wait : id; }

  void look(OpId id) {
    const Operation& op = program_[id];
    if (op.kind == OpKind::receive || op.kind == OpKind::probe) {
      if (run_.met[id] != kNoOp && may_differ(run_.met[id])) cut(end(id, op));
    } else if (op.kind == OpKind::sync) {
      const predict::SyncGroup& group = program_.groups[op.group];
      const auto me = std::find(group.members.begin(), group.members.end(), op.process);
      for (const std::size_t other :
           predict::needs(group, static_cast<std::size_t>(me - group.members.begin()),
                          predict::Buffering::infinite))
        if (group.ops[other] == kNoOp || may_differ(group.ops[other])) cut(end(id, op));
    } else if (op.kind == OpKind::send && op.mode == predict::SendMode::synchronous) {
      // It does not return before its receive has begun: what follows may never come.
      const OpId next = end(id, op) + 1;
      if (next < first(op.process + 1) && (taken_[id] == kNoOp || may_differ(taken_[id])))
        cut(next);
    } else if (op.kind == OpKind::wait && asks(id)) {
      // Whether a send is found complete may depend on its receive.
      for (const OpId done : op.completes)
        if (program_[done].kind == OpKind::send && taken_[done] != kNoOp &&
            may_differ(taken_[done]))
          cut(id);
    }
  }

  bool asks(OpId wait) const {
    if (program_[wait].by_test) return true;
    const auto at = std::lower_bound(run_.choices.begin(), run_.choices.end(), wait,
                                     [](const Choice& c, OpId id) { return c.wait < id; });
    return at != run_.choices.end() && at->wait == wait;
  }

  const Observation& run_;
  const predict::Program& program_;
  std::vector<OpId> taken_;  // by send: its receive
  std::vector<OpId> until_;
  bool changed_ = false;
};

std::string words(const Observation& run, OpId id) {
  const Operation& op = run.program[id];
  std::string text =
      run.asked[id].call == Proc::none ? "an operation" : info(run.asked[id].call).name;
  const auto number = [](int n) {
    return n == predict::kAny ? std::string("any") : std::to_string(n);
  };
  if (op.kind == OpKind::receive || op.kind == OpKind::probe)
    text += fmt::format("(source={}, tag={})", number(op.peer), number(op.tag));
  if (op.kind == OpKind::send) text += fmt::format("(dest={}, tag={})", op.peer, op.tag);
  if (op.site.value != 0) text += " at " + run.program.sites[op.site.value];
  return text;
}

bool equal(const Observation& a, OpId x, const Observation& b, OpId y, bool threads) {
  const Operation &p = a.program[x], &q = b.program[y];
  const Asked &s = a.asked[x], &t = b.asked[y];
  return s.call == t.call && s.comm == t.comm && (threads || s.picks == t.picks) &&
         p.kind == q.kind && p.mode == q.mode && p.peer == q.peer && p.tag == q.tag &&
         a.program.sites[p.site.value] == b.program.sites[q.site.value];
}

// Operations of one thread.
std::vector<OpId> of_thread(const Observation& run, OpId from, OpId to, int thread) {
  std::vector<OpId> all;
  for (OpId id = from; id < to; ++id)
    if (run.asked[id].thread == thread) all.push_back(id);
  return all;
}

// The first `length` picks of these.
std::vector<policy::PickRun> shortened(const std::vector<policy::PickRun>& all,
                                       std::uint64_t length) {
  std::vector<policy::PickRun> some;
  for (const policy::PickRun& run : all) {
    if (length == 0) break;
    some.push_back({run.pick, std::min(run.times, length)});
    length -= some.back().times;
  }
  return some;
}

}  // namespace

std::vector<OpId> same_until(const Observation& run, const Decisions& forced) {
  if (!run.whole || run.asked.size() != run.program.ops.size()) return {};
  return Spread(run, forced).go();
}

std::string first_difference(const Observation& expected, const std::vector<OpId>& until,
                             const Observation& found) {
  if (until.empty() || !found.whole || found.asked.size() != found.program.ops.size() ||
      found.program.processes() != expected.program.processes())
    return "";
  for (std::size_t p = 0; p < until.size(); ++p) {
    const OpId begin = expected.program.first[p], there = found.program.first[p];
    int threads = 0;
    for (OpId id = begin; id < until[p]; ++id)
      threads = std::max(threads, expected.asked[id].thread);
    for (int thread = 0; thread <= threads; ++thread) {
      const auto due = of_thread(expected, begin, until[p], thread);
      const auto made = of_thread(found, there, found.program.first[p + 1], thread);
      for (std::size_t i = 0; i < due.size(); ++i) {
        if (i < made.size() && equal(expected, due[i], found, made[i], threads > 0)) continue;
        if (i >= made.size() && found.cut) break;
        std::string text = fmt::format("operation {} of rank {} should be {}, but ", i, p,
                                       words(expected, due[i]));
        if (i >= made.size()) return text + "there is none";
        const std::string other = words(found, made[i]);
        if (other != words(expected, due[i])) return text + "is " + other;
        if (expected.asked[due[i]].comm != found.asked[made[i]].comm)
          return text + "is on another communicator";
        return text + fmt::format("comes after {} tests, not {}", found.asked[made[i]].picks,
                                  expected.asked[due[i]].picks);
      }
    }
  }
  return "";
}

namespace {

// The tags that receives must ask for, since they are those of the run before: one that asks for
// another leaves the schedule there, instead of waiting for what may never come. A probe that only
// asks may be a later one.
void expect_tags(const Observation& from, const std::vector<OpId>& until,
                 policy::Schedule& schedule) {
  const predict::Program& program = from.program;
  for (int p = 0; p < static_cast<int>(until.size()); ++p) {
    const auto mine = schedule.ranks.find(p);
    if (mine == schedule.ranks.end()) continue;
    auto match = mine->second.matches.begin();
    const OpId end = until[static_cast<std::size_t>(p)];
    for (OpId id = program.first[static_cast<std::size_t>(p)];
         id < program.first[static_cast<std::size_t>(p) + 1] && id <= end; ++id) {
      const Operation& op = program[id];
      if (!is_event(op)) continue;
      if (match == mine->second.matches.end() || (id == end && op.by_test)) break;
      if (match->source >= 0 && op.tag != predict::kAny) match->tag = op.tag;
      ++match;
    }
  }
}

}  // namespace

policy::Schedule schedule_of(const Decisions& decisions, const Observation* from,
                             const std::vector<OpId>& until) {
  policy::Schedule schedule;
  for (const Decision& d : decisions)
    if (!is_pick(d.event))
      schedule.ranks[d.event.rank].decide(static_cast<std::size_t>(d.event.number),
                                          {d.rank, policy::kNoTag});
  if (from == nullptr) return schedule;
  expect_tags(*from, until, schedule);
  std::vector<std::uint64_t> length(from->picks.size());
  for (std::size_t p = 0; p < until.size() && p < length.size(); ++p) {
    std::uint64_t all = 0;
    for (const policy::PickRun& run : from->picks[p]) all += run.times;
    length[p] = until[p] < from->program.first[p + 1] ? from->asked[until[p]].picks : all;
  }
  for (const Decision& d : decisions)
    if (is_pick(d.event) && static_cast<std::size_t>(d.event.rank) < length.size()) {
      auto& mine = length[static_cast<std::size_t>(d.event.rank)];
      mine = std::max<std::uint64_t>(mine, static_cast<std::uint64_t>(d.event.number - kFirstPick));
    }
  for (std::size_t p = 0; p < length.size(); ++p) {
    std::vector<policy::PickRun> picks = shortened(from->picks[p], length[p]);
    if (!picks.empty()) schedule.ranks[static_cast<int>(p)].picks = std::move(picks);
  }
  // What is picked otherwise than there is the last one of its rank.
  for (const Choice& c : from->choices) {
    const int rank = from->program[c.wait].process;
    const EventId id{rank, kFirstPick + static_cast<int>(c.pick)};
    for (const Decision& d : decisions)
      if (d.event == id && c.pick == length[static_cast<std::size_t>(rank)])
        schedule.ranks[rank].add(Choice::pick_of(c.several, d.source));
  }
  return schedule;
}

}  // namespace vouch::explore
