#include "explore/testing/sim.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace vouch::explore {

using predict::Buffering;
using predict::kAny;
using predict::Operation;
using predict::OpKind;
using predict::SendMode;
using predict::SyncKind;

// One running program. Operations are known by process and place in its list.
class Simulation {
 public:
  struct Ref {
    int rank = -1;
    std::size_t op = 0;
    auto operator<=>(const Ref&) const = default;
    explicit operator bool() const { return rank >= 0; }
  };
  struct Entry {
    Operation op;
    std::vector<std::size_t> completes{};
    int value = 0;
    int asks = kAny;  // receive, probe: the source it really asks for
    int event = -1;
    Ref partner{};
    bool taken = false;  // send
    int group_number = 0;
    const predict::SyncGroup* model = nullptr;  // of a collective in a trace program
    Mark mark{};
    std::vector<std::size_t> open{};  // wait_any: what may be taken
    int pick = -1;                    // wait_any: its number
    int taken_place = -1;             // wait_any
    bool chosen = false;              // by a wait_any
  };
  struct Process {
    std::vector<Entry> ops;
    std::unique_ptr<Rank> rank;
    std::unique_ptr<Task> task;
    std::size_t awaits = 0;
    int events = 0, picks = 0, nested = 0, region = 0;
    std::map<int, int> syncs;  // by communicator
    bool done = false;
  };
  struct Choice {
    Ref receive, send;
    auto operator<=>(const Choice&) const = default;
  };

  Simulation(const Simulated& program, Buffering buffering, const Decisions& forced)
      : buffering_(buffering), forced_(forced), processes_(program.ranks.size()) {
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      Process& process = processes_[p];
      process.rank = std::make_unique<Rank>(*this, static_cast<int>(p));
      process.task = std::make_unique<Task>(program.ranks[p](*process.rank));
      process.task->resume();
      process.done = process.task->done();
    }
    settle();
  }

  std::size_t add(int rank, Entry entry) {
    Process& p = processes_[static_cast<std::size_t>(rank)];
    entry.op.process = rank;
    entry.asks = entry.op.peer;
    entry.mark = {p.nested > 0, p.region};
    const auto force = [&](EventId id) {
      const auto at =
          std::lower_bound(forced_.begin(), forced_.end(), id,
                           [](const Decision& d, EventId wanted) { return d.event < wanted; });
      if (at != forced_.end() && at->event == id) entry.asks = at->source;
    };
    if (is_event(entry.op)) {
      entry.event = p.events++;
      force({rank, entry.event});
    }
    if (!entry.open.empty()) {
      entry.asks = kAny;
      entry.pick = p.picks++;
      force({rank, kFirstPick + entry.pick});
    }
    if (entry.op.kind == OpKind::sync) entry.group_number = p.syncs[entry.op.comm]++;
    p.ops.push_back(std::move(entry));
    return p.ops.size() - 1;
  }

  Process& process(int rank) { return processes_[static_cast<std::size_t>(rank)]; }
  Entry& entry(const Ref& ref) { return process(ref.rank).ops[ref.op]; }

  bool complete(int rank, std::size_t op) {
    const Entry& e = process(rank).ops[op];
    switch (e.op.kind) {
      case OpKind::receive:
      case OpKind::probe:
        return static_cast<bool>(e.partner);
      case OpKind::send:
        return !predict::rendezvous(e.op, buffering_) || e.taken;
      case OpKind::sync:
        return sync_complete(e);
      case OpKind::wait:
        if (!e.open.empty()) return e.taken_place >= 0;
        return std::all_of(e.completes.begin(), e.completes.end(),
                           [&](std::size_t o) { return complete(rank, o); });
      default:
        return true;
    }
  }

  bool passed(int rank, std::size_t op) {
    process(rank).awaits = op;
    return complete(rank, op);
  }

  Seen seen(int rank, std::size_t op) {
    const Entry& e = process(rank).ops[op];
    if (!e.open.empty()) return {-1, -1, e.taken_place};
    if (e.op.kind == OpKind::wait) return e.completes.empty() ? Seen{} : seen(rank, e.completes[0]);
    if (!e.partner || e.op.kind == OpKind::send) return {};
    const Entry& s = entry(e.partner);
    return {s.op.process, s.op.tag, s.value};
  }

  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t p = 0; p < processes_.size(); ++p) {
        Process& process = processes_[p];
        while (!process.done && complete(static_cast<int>(p), process.awaits)) {
          process.task->resume();
          process.done = process.task->done();
          moved = true;
        }
      }
    }
  }

  // What may be decided now.
  std::vector<Choice> choices() {
    std::vector<Choice> all;
    for (int p = 0; p < static_cast<int>(processes_.size()); ++p) {
      auto& ops = process(p).ops;
      for (std::size_t r = 0; r < ops.size(); ++r) {
        for (std::size_t i = 0; ops[r].taken_place < 0 && i < ops[r].open.size(); ++i)
          if (complete(p, ops[r].open[i]) &&
              (ops[r].asks == kAny || ops[r].asks == static_cast<int>(i)) &&
              !ops[ops[r].open[i]].chosen)
            all.push_back({{p, r}, {p, i}});
        if (ops[r].partner ||
            (ops[r].op.kind != OpKind::receive && ops[r].op.kind != OpKind::probe))
          continue;
        for (int q = 0; q < static_cast<int>(processes_.size()); ++q)
          if (const Ref send = first_for({p, r}, q)) all.push_back({{p, r}, send});
      }
    }
    return all;
  }

  void take(const Choice& c) {
    Entry& r = entry(c.receive);
    if (!r.open.empty()) {
      r.taken_place = static_cast<int>(c.send.op);
      r.completes = {r.open[c.send.op]};
      entry({c.receive.rank, r.completes[0]}).chosen = true;
      return settle();
    }
    r.partner = c.send;
    if (r.op.kind == OpKind::receive) entry(c.send).taken = true;
    settle();
  }

  SimRun result() {
    SimRun run;
    run.failed = failed;
    std::map<std::pair<int, int>, std::uint32_t> groups;
    Observation& seen = run.seen;
    predict::Program& program = seen.program;
    std::vector<OpId> first;
    for (Process& p : processes_) {
      run.deadlock |= !p.done;
      run.stands.push_back(!p.done);
      first.push_back(static_cast<OpId>(program.ops.size()));
      for (Entry& e : p.ops) {
        for (const std::size_t c : e.completes) {
          e.op.completes.push_back(first.back() + static_cast<OpId>(c));
          program.ops[e.op.completes.back()].wait = static_cast<OpId>(program.ops.size());
        }
        run.unforced |= e.open.empty() ? e.asks != e.op.peer && !e.partner
                                       : e.asks != kAny && e.taken_place < 0;
        if (e.taken_place >= 0) {
          explore::Choice c{static_cast<OpId>(program.ops.size()),
                            static_cast<std::uint64_t>(e.pick),
                            false,
                            {e.taken_place},
                            {}};
          for (std::size_t i = 0; i < e.open.size(); ++i)
            c.open.emplace_back(static_cast<int>(i), first.back() + static_cast<OpId>(e.open[i]));
          seen.choices.push_back(std::move(c));
        }
        if (e.op.kind == OpKind::sync) join_group(program, groups, e);
        program.ops.push_back(e.op);
        seen.marks.push_back(e.mark);
        seen.asked.emplace_back();
      }
      program.first.push_back(static_cast<OpId>(program.ops.size()));
    }
    for (const Process& p : processes_)
      for (const Entry& e : p.ops)
        seen.met.push_back(e.partner && e.op.kind != OpKind::send
                               ? first[static_cast<std::size_t>(e.partner.rank)] +
                                     static_cast<OpId>(e.partner.op)
                               : kNoOp);
    return run;
  }

  bool failed = false;

 private:
  bool sync_complete(const Entry& mine) {
    if (mine.model != nullptr) {
      const auto& members = mine.model->members;
      const auto me = std::find(members.begin(), members.end(), mine.op.process);
      const auto at = static_cast<std::size_t>(me - members.begin());
      for (const std::size_t other : predict::needs(*mine.model, at, buffering_))
        if (process(members[other]).syncs[mine.op.comm] <= mine.group_number) return false;
      return true;
    }
    for (int p = 0; p < static_cast<int>(processes_.size()); ++p) {
      const bool needed =
          mine.op.group == static_cast<std::uint32_t>(SyncKind::all) ||
          buffering_ == Buffering::zero ||
          (mine.op.group == static_cast<std::uint32_t>(SyncKind::from_root) && p == mine.op.peer) ||
          (mine.op.group == static_cast<std::uint32_t>(SyncKind::to_root) &&
           mine.op.process == mine.op.peer) ||
          (mine.op.group == static_cast<std::uint32_t>(SyncKind::prefix) && p < mine.op.process);
      if (needed && process(p).syncs[mine.op.comm] <= mine.group_number) return false;
    }
    return true;
  }

  static bool fits(const Entry& r, int asks, const Entry& s) {
    return s.op.peer == r.op.process && s.op.comm == r.op.comm &&
           (asks == kAny || asks == s.op.process) && (r.op.tag == kAny || r.op.tag == s.op.tag);
  }

  // The message of process q that this receive or probe could get now.
  Ref first_for(const Ref& receive, int q) {
    const Entry& r = entry(receive);
    auto& sends = process(q).ops;
    for (std::size_t s = 0; s < sends.size(); ++s) {
      if (sends[s].op.kind != OpKind::send || sends[s].taken || !fits(r, r.asks, sends[s]))
        continue;
      auto& mine = process(receive.rank).ops;
      for (std::size_t e = 0; e < receive.op; ++e)
        if (mine[e].op.kind == OpKind::receive && !mine[e].partner &&
            fits(mine[e], mine[e].asks, sends[s]))
          return {};
      return {q, s};
    }
    return {};
  }

  void join_group(predict::Program& program, std::map<std::pair<int, int>, std::uint32_t>& groups,
                  Entry& e) {
    const auto kind = static_cast<SyncKind>(e.op.group);
    const auto [at, added] = groups.emplace(std::pair(e.op.comm, e.group_number),
                                            static_cast<std::uint32_t>(program.groups.size()));
    if (added) {
      predict::SyncGroup group;
      group.kind = kind;
      group.root = e.op.peer;
      group.comm = e.op.comm;
      for (std::size_t p = 0; p < processes_.size(); ++p)
        group.members.push_back(static_cast<int>(p));
      if (e.model != nullptr) group = *e.model;
      group.ops.assign(group.members.size(), kNoOp);
      program.groups.push_back(std::move(group));
    }
    e.op.group = at->second;
    predict::SyncGroup& group = program.groups[at->second];
    for (std::size_t m = 0; m < group.members.size(); ++m)
      if (group.members[m] == e.op.process) group.ops[m] = static_cast<OpId>(program.ops.size());
  }

  const Buffering buffering_;
  const Decisions& forced_;
  std::vector<Process> processes_;
};

bool Rank::Call::await_ready() const { return world.passed(rank, op); }
Seen Rank::Call::await_resume() const { return world.seen(rank, op); }

std::size_t Rank::isend(int dest, int tag, int value, SendMode mode, int comm) {
  Simulation::Entry e;
  e.op.kind = OpKind::send;
  e.op.mode = mode;
  e.op.blocking = false;
  e.op.peer = dest;
  e.op.tag = tag;
  e.op.comm = comm;
  e.value = value;
  return world_.add(rank_, std::move(e));
}
Rank::Call Rank::send(int dest, int tag, int value, SendMode mode, int comm) {
  const std::size_t op = isend(dest, tag, value, mode, comm);
  world_.process(rank_).ops[op].op.blocking = true;
  return {world_, rank_, op};
}
std::size_t Rank::ireceive(int source, int tag, int comm) {
  Simulation::Entry e;
  e.op.kind = OpKind::receive;
  e.op.peer = source;
  e.op.tag = tag;
  e.op.comm = comm;
  return world_.add(rank_, std::move(e));
}
Rank::Call Rank::receive(int source, int tag, int comm) {
  return wait(ireceive(source, tag, comm));
}
Rank::Call Rank::probe(int source, int tag, int comm) {
  Simulation::Entry e;
  e.op.kind = OpKind::probe;
  e.op.peer = source;
  e.op.tag = tag;
  e.op.comm = comm;
  return {world_, rank_, world_.add(rank_, std::move(e))};
}
Rank::Call Rank::wait_any(std::vector<std::size_t> ops) {
  Simulation::Entry e;
  e.op.kind = OpKind::wait;
  const auto& mine = world_.process(rank_).ops;
  std::erase_if(ops, [&](std::size_t op) { return mine[op].chosen; });
  e.open = std::move(ops);
  return {world_, rank_, world_.add(rank_, std::move(e))};
}
std::size_t Rank::isync(SyncKind kind, int root, int comm) {
  Simulation::Entry e;
  e.op.kind = OpKind::sync;
  e.op.blocking = false;
  e.op.peer = root;
  e.op.comm = comm;
  e.op.group = static_cast<std::uint32_t>(kind);
  return world_.add(rank_, std::move(e));
}
Rank::Call Rank::sync(SyncKind kind, int root, int comm) {
  const std::size_t op = isync(kind, root, comm);
  world_.process(rank_).ops[op].op.blocking = true;
  return {world_, rank_, op};
}
std::size_t Rank::isync(const predict::SyncGroup& group) {
  const std::size_t op = isync(group.kind, group.root, group.comm);
  world_.process(rank_).ops[op].model = &group;
  return op;
}
Rank::Call Rank::sync(const predict::SyncGroup& group) {
  const std::size_t op = isync(group);
  world_.process(rank_).ops[op].op.blocking = true;
  return {world_, rank_, op};
}
Rank::Call Rank::wait(std::vector<std::size_t> ops) {
  Simulation::Entry e;
  e.op.kind = OpKind::wait;
  e.completes = std::move(ops);
  return {world_, rank_, world_.add(rank_, std::move(e))};
}
void Rank::pcontrol(int level) {
  Simulation::Process& p = world_.process(rank_);
  if (level == 1) ++p.nested;
  if (level == 0 && p.nested > 0) --p.nested;
  if (level >= 2) p.region = level;
}
void Rank::fail() { world_.failed = true; }

namespace {

// One process of a trace program. Operations keep their places: there is one of ours for each.
Task walk(Rank& me, std::shared_ptr<const predict::Program> program, int process) {
  const OpId first = program->first[process];
  for (OpId id = first; id < program->first[process + 1]; ++id) {
    const Operation& op = (*program)[id];
    switch (op.kind) {
      case OpKind::send:
        if (op.blocking)
          co_await me.send(op.peer, op.tag, 0, op.mode, op.comm);
        else
          me.isend(op.peer, op.tag, 0, op.mode, op.comm);
        break;
      case OpKind::receive:
        me.ireceive(op.peer, op.tag, op.comm);
        break;
      case OpKind::wait: {
        std::vector<std::size_t> ops;
        for (const OpId c : op.completes) ops.push_back(c - first);
        co_await me.wait(std::move(ops));
        break;
      }
      case OpKind::probe:
        co_await me.probe(op.peer, op.tag, op.comm);
        break;
      case OpKind::sync: {
        const predict::SyncGroup& group = program->groups[op.group];
        if (op.blocking)
          co_await me.sync(group);
        else
          me.isync(group);
        break;
      }
      default:
        co_await me.wait(std::vector<std::size_t>{});
        break;
    }
  }
}

}  // namespace

Simulated simulated(const predict::Program& program) {
  const auto shared = std::make_shared<const predict::Program>(program);
  Simulated result;
  for (int p = 0; p < program.processes(); ++p)
    result.ranks.push_back([shared, p](Rank& me) { return walk(me, shared, p); });
  return result;
}

Simulated simulated(std::string_view compact) {
  const auto program = predict::parse(compact);
  VOUCH_CHECK(program.ok());
  return simulated(program.value());
}

SimRun simulate(const Simulated& program, const SimOptions& options) {
  Simulation world(program, options.buffering, options.forced);
  std::uint64_t state = options.seed * 0x9E3779B97F4A7C15u + 0x1234567u;
  for (auto all = world.choices(); !all.empty(); all = world.choices()) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    world.take(all[options.seed == 0 ? 0 : (state >> 11) % all.size()]);
  }
  return world.result();
}

Stepper::Stepper(const Simulated& program, Buffering buffering)
    : world_(std::make_unique<Simulation>(program, buffering, none_)) {}
Stepper::~Stepper() = default;

std::vector<Stepper::Choice> Stepper::choices() {
  std::vector<Choice> all;
  for (const Simulation::Choice& c : world_->choices()) {
    const Operation& op = world_->entry(c.receive).op;
    all.push_back({c.receive.rank, c.receive.op, c.send.rank, c.send.op, op.peer == kAny,
                   op.kind == OpKind::probe});
  }
  return all;
}
void Stepper::take(const Choice& c) { world_->take({{c.rank, c.receive}, {c.source, c.send}}); }
SimRun Stepper::result() { return world_->result(); }

SimOutcome outcome_of(const SimRun& run) {
  const predict::Program& program = run.seen.program;
  SimOutcome out;
  out.deadlock = run.deadlock;
  out.failed = run.failed;
  out.picks.resize(static_cast<std::size_t>(program.processes()));
  for (const Choice& c : run.seen.choices)
    out.picks[static_cast<std::size_t>(program[c.wait].process)].push_back(c.label());
  for (int p = 0; p < program.processes(); ++p) {
    auto& mine = out.matches.emplace_back();
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      const OpKind kind = program[id].kind;
      if (kind != OpKind::receive && kind != OpKind::probe) continue;
      const OpId send = run.seen.met[id];
      if (send == kNoOp)
        mine.emplace_back(-1, -1);
      else
        mine.emplace_back(program[send].process,
                          static_cast<int>(send - program.first[program[send].process]));
    }
  }
  return out;
}

std::set<SimOutcome> all_outcomes(const Simulated& program, Buffering buffering) {
  std::set<SimOutcome> outcomes;
  std::set<std::set<Simulation::Choice>> known;
  std::vector<std::vector<Simulation::Choice>> open{{}};
  const Decisions none;
  while (!open.empty()) {
    const auto taken = std::move(open.back());
    open.pop_back();
    Simulation world(program, buffering, none);
    for (const auto& c : taken) world.take(c);
    const auto next = world.choices();
    if (next.empty()) outcomes.insert(outcome_of(world.result()));
    for (const auto& c : next) {
      auto more = taken;
      more.push_back(c);
      if (known.insert({more.begin(), more.end()}).second) open.push_back(std::move(more));
    }
  }
  return outcomes;
}

}  // namespace vouch::explore
