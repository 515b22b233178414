// Building a program and saying what is wrong with one.

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "predict/program/ctp.h"
#include "predict/program/text_source.h"

namespace vouch::predict {
namespace {

std::string defect_of_peer(const Program& program, const Operation& op) {
  const bool any_allowed = op.kind != OpKind::send;
  const char* what = op.kind == OpKind::send ? "destination" : "source";
  if (op.peer == kAny && !any_allowed)
    return fmt::format("{}: a send cannot go to any process", op.name);
  if (op.peer != kAny && (op.peer < 0 || op.peer >= program.processes()))
    return fmt::format("{}: {} {} is not a process of this program", op.name, what, op.peer);
  if (op.tag < 0 && !(any_allowed && op.tag == kAny))
    return fmt::format("{}: {} is no tag", op.name, op.tag);
  return {};
}

std::string defect_of_wait(const Program& program, OpId id) {
  const auto& wait = program[id];
  if (wait.completes.empty()) return fmt::format("{}: waits for nothing", wait.name);
  for (OpId done : wait.completes) {
    if (done >= program.ops.size()) return fmt::format("{}: waits for nothing known", wait.name);
    const auto& op = program[done];
    if (op.process != wait.process || done > id)
      return fmt::format("{}: waits for {}, which is not before it", wait.name, op.name);
    if (op.kind != OpKind::send && op.kind != OpKind::receive && op.kind != OpKind::sync)
      return fmt::format("{}: {} cannot be waited for", wait.name, op.name);
    if (op.kind != OpKind::receive && op.blocking)
      return fmt::format("{}: waits for {}, which blocks until it is complete", wait.name, op.name);
    if (op.wait != id) return fmt::format("{}: {} has two waits", wait.name, op.name);
  }
  return {};
}

// The conditions and values of one operation: variables of its own process, delivered before it.
std::string defect_of_expr(const Program& program, OpId id, const std::vector<OpId>& certified) {
  std::vector<ExprId> open{program[id].expr};
  const auto& op = program[id];
  while (!open.empty()) {
    const ExprId at = open.back();
    open.pop_back();
    if (at == kNoExpr) continue;
    const auto& e = program.exprs[at];
    open.push_back(e.left);
    open.push_back(e.right);
    if (e.kind != Expr::Kind::variable) continue;
    const auto& r = program[e.receive];
    if (r.process != op.process)
      return fmt::format("{}: reads {}, a variable of another process", op.name, r.name);
    if (certified[e.receive] == kNoOp || certified[e.receive] > id)
      return fmt::format("{}: reads {} before a wait says it is there", op.name, r.name);
  }
  return {};
}

std::string defect_of_group(const Program& program, const SyncGroup& group) {
  std::set<int> seen;
  for (int member : group.members) {
    if (member < 0 || member >= program.processes())
      return fmt::format("{}: member {} is not a process of this program", group.name, member);
    if (!seen.insert(member).second)
      return fmt::format("{}: process {} is a member twice", group.name, member);
  }
  const bool rooted = group.kind == SyncKind::from_root || group.kind == SyncKind::to_root;
  if (rooted && !seen.contains(group.root))
    return fmt::format("{}: the root {} is no member", group.name, group.root);
  if (group.kind == SyncKind::listed && group.sources.size() != group.members.size())
    return fmt::format("{}: who needs whom is not said", group.name);
  for (const auto& sources : group.sources)
    for (int source : sources)
      if (!seen.contains(source))
        return fmt::format("{}: process {}, which is needed, is no member", group.name, source);
  return {};
}

}  // namespace

std::string defect(const Program& program) {
  std::set<std::string_view> names;
  for (const auto& op : program.ops)
    if (!names.insert(op.name).second) return fmt::format("{}: this name stands twice", op.name);
  for (const auto& group : program.groups)
    if (auto wrong = defect_of_group(program, group); !wrong.empty()) return wrong;
  for (OpId id = 0; id < program.ops.size(); ++id) {
    const auto& op = program[id];
    std::string wrong;
    if (op.kind == OpKind::send || op.kind == OpKind::receive || op.kind == OpKind::probe)
      wrong = defect_of_peer(program, op);
    else if (op.kind == OpKind::wait)
      wrong = defect_of_wait(program, id);
    if (!wrong.empty()) return wrong;
  }
  const auto certified = nearest_waits(program);
  for (OpId id = 0; id < program.ops.size(); ++id) {
    if (program[id].kind == OpKind::receive && certified[id] == kNoOp)
      return fmt::format("{}: no wait says that it was received", program[id].name);
    if (auto wrong = defect_of_expr(program, id, certified); !wrong.empty()) return wrong;
  }
  return {};
}

Builder::Handle Builder::add(int process, Operation op) {
  const auto handle = static_cast<Handle>(entries_.size());
  op.process = process;
  entries_.push_back({std::move(op), {}});
  lists_.at(process).push_back(handle);
  return handle;
}

Builder::Handle Builder::send(int process, int dest, Operation rest) {
  rest.kind = OpKind::send;
  rest.peer = dest;
  return add(process, std::move(rest));
}

Builder::Handle Builder::receive(int process, int source, Operation rest) {
  rest.kind = OpKind::receive;
  rest.peer = source;
  rest.blocking = false;
  return add(process, std::move(rest));
}

Builder::Handle Builder::wait(int process, std::vector<Handle> completes, bool by_test) {
  Operation op;
  op.kind = OpKind::wait;
  op.by_test = by_test;
  const Handle handle = add(process, std::move(op));
  entries_[handle].completes = std::move(completes);
  return handle;
}

Builder::Handle Builder::blocking_receive(int process, int source, Operation rest) {
  const Site site = rest.site;
  const Handle handle = receive(process, source, std::move(rest));
  entries_[wait(process, handle)].op.site = site;
  return handle;
}

Builder::Handle Builder::probe(int process, int source, Operation rest) {
  rest.kind = OpKind::probe;
  rest.peer = source;
  return add(process, std::move(rest));
}

Builder::Handle Builder::sync(int process, int comm, SyncKind kind, int root, Operation rest) {
  rest.kind = OpKind::sync;
  rest.comm = comm;
  rest.peer = root;
  rest.group = static_cast<std::uint32_t>(kind);  // until build knows the group
  return add(process, std::move(rest));
}

Builder::Handle Builder::assume(int process, ExprId condition, Operation rest) {
  rest.kind = OpKind::assume;
  rest.expr = condition;
  return add(process, std::move(rest));
}

Builder::Handle Builder::assertion(int process, ExprId condition, Operation rest) {
  rest.kind = OpKind::assertion;
  rest.expr = condition;
  return add(process, std::move(rest));
}

void Builder::communicator(int comm, std::vector<int> members) {
  members_.push_back({comm, std::move(members)});
}

Site Builder::site(std::string place) {
  const auto known = std::find(sites_.begin() + 1, sites_.end(), place);
  const auto index = static_cast<std::uint32_t>(known - sites_.begin());
  if (known == sites_.end()) sites_.push_back(std::move(place));
  return Site{index};
}

void Builder::describe(Handle handle, const std::string& name, Site site) {
  auto& op = entries_[handle].op;
  if (!name.empty()) op.name = name;
  op.site = site;
}

ExprId Builder::constant(std::int64_t value) {
  exprs_.push_back({.kind = Expr::Kind::constant, .value = value});
  return static_cast<ExprId>(exprs_.size() - 1);
}

ExprId Builder::variable(Handle receive) {
  exprs_.push_back({.kind = Expr::Kind::variable, .receive = receive});
  return static_cast<ExprId>(exprs_.size() - 1);
}

ExprId Builder::make(Expr::Kind kind, ExprId left, ExprId right) {
  exprs_.push_back({.kind = kind, .left = left, .right = right});
  return static_cast<ExprId>(exprs_.size() - 1);
}

namespace {

const char* prefix_of(const Operation& op) {
  switch (op.kind) {
    case OpKind::send:
      return "s";
    case OpKind::receive:
      return "r";
    case OpKind::wait:
      return op.by_test ? "t" : "w";
    case OpKind::sync:
      return "b";
    case OpKind::probe:
      return "p";
    case OpKind::assume:
      return "assume";
    case OpKind::assertion:
      return "assert";
  }
  return "";
}

}  // namespace

// s1.3 is the third operation of process 1; a wait for one operation is called after it.
std::string name_by_place(const Program& program, OpId id) {
  const auto& op = program[id];
  if (op.kind == OpKind::wait && op.completes.size() == 1)
    return fmt::format("{}.{}", prefix_of(op), program[op.completes[0]].name);
  return fmt::format("{}{}.{}", prefix_of(op), op.process, id - program.first[op.process]);
}

namespace {

// Whoever has no name gets one from its place.
void name_all(Program& program) {
  std::set<std::string> taken;
  for (const auto& op : program.ops) taken.insert(op.name);
  for (OpId id = 0; id < program.ops.size(); ++id) {
    auto& op = program.ops[id];
    if (!op.name.empty()) continue;
    op.name = name_by_place(program, id);
    while (taken.contains(op.name)) op.name += '_';
    taken.insert(op.name);
  }
}

std::vector<int> members_of(const Program& program, int comm) {
  std::vector<int> members;
  for (int p = 0; p < program.processes(); ++p) {
    const auto ops = program.of(p);
    const bool calls = std::any_of(ops.begin(), ops.end(), [&](const Operation& op) {
      return op.kind == OpKind::sync && op.comm == comm;
    });
    if (comm == 0 || calls) members.push_back(p);
  }
  return members;
}

}  // namespace

Result<Program> Builder::build() && {
  Program program;
  std::vector<OpId> place(entries_.size());
  for (const auto& list : lists_) {
    for (Handle h : list) {
      place[h] = static_cast<OpId>(program.ops.size());
      program.ops.push_back(std::move(entries_[h].op));
    }
    program.first.push_back(static_cast<OpId>(program.ops.size()));
  }
  for (Handle h = 0; h < entries_.size(); ++h)
    for (Handle done : entries_[h].completes) {
      auto& op = program.ops[place[done]];
      program.ops[place[h]].completes.push_back(place[done]);
      if (op.wait != kNoOp) return Error{fmt::format("{}: two waits for it", op.name)};
      op.wait = place[h];
    }
  program.exprs = std::move(exprs_);
  for (auto& e : program.exprs)
    if (e.kind == Expr::Kind::variable) e.receive = place.at(e.receive);
  program.sites = std::move(sites_);
  name_all(program);

  std::map<int, std::vector<int>> members;
  for (auto& known : members_) members[known.comm] = std::move(known.members);
  std::map<std::pair<int, int>, int> calls;                // process, comm: so many
  std::map<std::pair<int, int>, std::uint32_t> group_ids;  // comm, which
  for (OpId id = 0; id < program.ops.size(); ++id) {
    auto& op = program.ops[id];
    if (op.kind != OpKind::sync) continue;
    const int nth = calls[{op.process, op.comm}]++;
    const auto [known, is_new] =
        group_ids.try_emplace({op.comm, nth}, static_cast<std::uint32_t>(program.groups.size()));
    const auto kind = static_cast<SyncKind>(op.group);
    if (is_new) {
      if (!members.contains(op.comm)) members[op.comm] = members_of(program, op.comm);
      const auto& who = members[op.comm];
      program.groups.push_back({fmt::format("b{}.{}", op.comm, nth), kind, op.peer, op.comm, who,
                                std::vector<OpId>(who.size(), kNoOp),
                                std::vector<std::vector<int>>(who.size())});
    }
    auto& group = program.groups[known->second];
    const bool rooted = kind == SyncKind::from_root || kind == SyncKind::to_root;
    if (group.kind != kind || (rooted && group.root != op.peer))
      return Error{fmt::format("{}: another collective than the other members call", op.name)};
    const auto at = std::find(group.members.begin(), group.members.end(), op.process);
    if (at == group.members.end())
      return Error{fmt::format("{}: process {} is no member", op.name, op.process)};
    const auto member = static_cast<std::size_t>(at - group.members.begin());
    group.ops[member] = id;
    group.sources[member] = op.sources;
    op.group = known->second;
  }
  if (auto wrong = defect(program); !wrong.empty()) return Error{std::move(wrong)};
  return program;
}

}  // namespace vouch::predict
