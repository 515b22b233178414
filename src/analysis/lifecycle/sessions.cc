#include "analysis/lifecycle/sessions.h"

namespace vouch {

// The kinds that belong to a session, -1 for others.
int Sessions::slot(Kind kind) {
  switch (kind) {
    case Kind::comm:
      return 0;
    case Kind::group:
      return 1;
    case Kind::win:
      return 2;
    case Kind::file:
      return 3;
    default:
      return -1;
  }
}

std::optional<Sessions::Owner> Sessions::owner_of(const Process& process, const Call& call,
                                                  int param) const {
  if (!used(process)) return {};
  const Known& known = *processes_.find(process);
  const Param& p = call.info().params[static_cast<std::size_t>(param)];
  if (p.is_array() || p.dir == Dir::out) return {};
  const std::uint64_t raw = call.enter().handle(param);
  if (p.kind == Kind::session) {
    const auto found = known.sessions.find(raw);
    if (found == known.sessions.end()) return {};
    return known.owners[found->second];
  }
  const int kind = slot(p.kind);
  if (kind < 0) return {};
  if (const auto found = known.objects[kind].find(raw); found != known.objects[kind].end()) {
    return known.owners[found->second];
  }
  // MPI_GROUP_EMPTY and null handles belong nowhere; MPI_COMM_WORLD and all that was made before
  // the first session belong to the world.
  if (process.is_null(p.kind, raw)) return {};
  if (p.kind == Kind::group && process.constant_of(Kind::group, raw) != Constant::none) return {};
  return known.owners[0];
}

void Sessions::learn(const Process& process, const Call& call, const Event& leave) {
  if (leave.error_class() != 0) return;
  const ProcInfo& proc = call.info();
  if (call.proc() == Proc::session_init) {
    Known& known = processes_[process];
    any_ = true;
    const int session = proc.param(Arg::session);
    const auto number = static_cast<std::uint32_t>(known.owners.size());
    known.owners.push_back({number, call.site(), {}, true});
    known.sessions[static_cast<std::uint64_t>(leave.result(session))] = number;
    return;
  }
  if (!used(process)) return;
  Known& known = processes_[process];
  if (call.proc() == Proc::session_finalize) {
    const auto found = known.sessions.find(call.enter().handle(proc.param(Arg::session)));
    if (found == known.sessions.end()) return;
    known.owners[found->second].live = false;
    known.owners[found->second].closed = call.site();
    known.sessions.erase(found);
    return;
  }
  if (!proc.has(kConstructor)) return;
  std::optional<Owner> owner;
  for (int i = 0; i < static_cast<int>(proc.params.size()) && !owner; ++i)
    owner = owner_of(process, call, i);
  if (!owner) return;
  for (int i = 0; i < static_cast<int>(proc.params.size()); ++i) {
    const Param& p = proc.params[static_cast<std::size_t>(i)];
    if (p.dir != Dir::out || p.is_array() || p.leave_word < 0 || slot(p.kind) < 0) continue;
    const auto raw = static_cast<std::uint64_t>(leave.result(i));
    if (process.is_null(p.kind, raw)) continue;
    known.objects[slot(p.kind)][raw] = owner->number;
  }
}

}  // namespace vouch
