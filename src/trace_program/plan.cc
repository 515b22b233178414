#include "trace_program/plan.h"

#include <algorithm>
#include <vector>

namespace vouch {
namespace {

using Do = ProgramPlan::Do;
using predict::SyncKind;

// How data flow in a collective, by its plain form. False: no member need wait for another, or only
// for some that the program cannot name.
bool flow(Proc base, ProgramPlan& plan) {
  switch (base) {
    case Proc::bcast:
    case Proc::scatter:
      plan.sync = SyncKind::from_root;
      return true;
    case Proc::gather:
    case Proc::reduce:
      plan.sync = SyncKind::to_root;
      return true;
    case Proc::scan:
    case Proc::exscan:
      plan.sync = SyncKind::prefix;
      return true;
    case Proc::scatterv:
      plan.sync = SyncKind::listed;
      plan.gives = ProgramPlan::Gives::root_to_me;
      return true;
    case Proc::gatherv:
      plan.sync = SyncKind::listed;
      plan.gives = ProgramPlan::Gives::each_to_root;
      return true;
    case Proc::alltoallv:
    case Proc::alltoallw:
    case Proc::allgatherv:
      plan.sync = SyncKind::listed;
      return true;
    case Proc::reduce_scatter:
      plan.sync = SyncKind::listed;
      plan.gives = ProgramPlan::Gives::all_to_my_part;
      return true;
    case Proc::barrier:
    case Proc::allreduce:
    case Proc::allgather:
    case Proc::alltoall:
    case Proc::reduce_scatter_block:
    // The members agree on what identifies the new communicator.
    case Proc::comm_dup:
    case Proc::comm_dup_with_info:
    case Proc::comm_idup:
    case Proc::comm_idup_with_info:
    case Proc::comm_split:
    case Proc::comm_split_type:
    case Proc::comm_create:
    case Proc::cart_create:
    case Proc::cart_sub:
    case Proc::graph_create:
    case Proc::dist_graph_create:
    case Proc::dist_graph_create_adjacent:
      return true;
    default:
      return false;
  }
}

ProgramPlan make(Proc proc) {
  ProgramPlan p;
  const ProcInfo& about = info(proc);
  const auto param = [&](std::string_view name) { return about.param(name); };
  const auto either = [](int a, int b) { return a >= 0 ? a : b; };
  p.blocks = about.has(kBlocking);
  p.persistent = about.has(kPersistent);
  p.request = param("request");
  p.requests = param("array_of_requests");
  p.flag = param("flag");
  p.index = param("index");
  p.indices = param("array_of_indices");
  p.outcount = param("outcount");
  p.status = param("status");
  p.statuses = param("array_of_statuses");
  p.comm = param("comm");
  p.root = param("root");
  p.count = either(param("sendcount"), either(param("count"), param("recvcount")));
  p.counts = param("recvcounts");
  p.count_here = param("recvcount");
  p.types = param("recvtypes");
  p.sent = {either(param("sendbuf"), param("buf")), either(param("sendcount"), param("count")),
            either(param("sendtype"), param("datatype"))};
  p.received = {either(param("recvbuf"), param("buf")), either(param("recvcount"), param("count")),
                either(param("recvtype"), param("datatype"))};
  p.send = {param("dest"), either(param("sendtag"), param("tag"))};
  p.recv = {param("source"), either(param("recvtag"), param("tag"))};
  p.sends = p.send.peer >= 0;
  p.receives = p.recv.peer >= 0;
  if (about.base == Proc::ssend) p.mode = predict::SendMode::synchronous;
  if (about.base == Proc::bsend) p.mode = predict::SendMode::buffered;
  switch (about.family) {
    case Family::p2p:
      if (p.comm >= 0 && (p.sends || p.receives)) p.what = Do::post;
      break;
    case Family::probe:
      p.what = param("message") >= 0 ? Do::probe_message : Do::probe;
      break;
    case Family::completion:
      p.what = Do::complete;
      p.all = p.index < 0 && p.indices < 0;
      break;
    case Family::collective:
    case Family::comm:
    case Family::topology:
      if (p.comm < 0) p.comm = param("comm_old");
      // Constructors that only some members of a communicator call have no flag of their own.
      if (about.has(kCollective))
        p.what = p.comm >= 0 && flow(about.base, p) ? Do::collective : Do::unknown;
      else if (about.has(kConstructor) && about.has(kBlocking))
        p.what = Do::unknown;
      break;
    case Family::neighbour:
    case Family::partitioned:
    case Family::rma:
    case Family::dynamic:
      p.what = Do::unknown;
      break;
    case Family::window:
    case Family::io:
      if (about.has(kCollective)) p.what = Do::unknown;
      break;
    default:
      break;
  }
  switch (proc) {
    case Proc::start:
    case Proc::startall:
      p.what = Do::start;
      break;
    case Proc::cancel:
      p.what = Do::cancel;
      break;
    case Proc::request_free:
      p.what = Do::free;
      break;
    case Proc::comm_create_group:
      p.what = Do::collective;
      p.group = param("group");
      break;
    // Nobody has to wait for anybody.
    case Proc::comm_free:
    case Proc::comm_set_info:
      p.what = Do::nothing;
      break;
    default:
      break;
  }
  return p;
}

}  // namespace

std::vector<int> sources_of(const Event& enter, const ProgramPlan& p,
                            const std::vector<int>& members, int process, const MovesData& moves) {
  using Gives = ProgramPlan::Gives;
  const auto me = static_cast<std::size_t>(std::find(members.begin(), members.end(), process) -
                                           members.begin());
  const auto root = p.root >= 0 ? static_cast<std::size_t>(enter.value(p.root)) : members.size();
  const bool counted = p.gives != Gives::root_to_me && p.counts >= 0;
  const ArrayView counts = counted ? enter.array(p.counts) : ArrayView();
  const ArrayView types = p.types >= 0 ? enter.array(p.types) : ArrayView();
  const auto type = [&](std::size_t i) {
    return i < types.size()       ? static_cast<std::uint64_t>(types[i])
           : p.received.type >= 0 ? enter.handle(p.received.type)
                                  : 0;
  };
  // What is not told counts as something.
  const auto some = [&](std::size_t i) { return i >= counts.size() || moves(counts[i], type(i)); };
  std::vector<int> sources;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool needed = p.gives == Gives::each_to_me     ? some(i)
                        : p.gives == Gives::each_to_root ? me == root && some(i)
                        : p.gives == Gives::root_to_me
                            ? i == root && moves(enter.value(p.count_here), type(i))
                            : some(me);
    if (needed && i != me) sources.push_back(members[i]);
  }
  return sources;
}

bool moves_nothing(const Event& enter, const ProgramPlan& p, bool at_root, const MovesData& moves) {
  if (enter.info().family != Family::collective || p.sync == SyncKind::listed) return false;
  // The root of a scatter sends, the others of a gather do; everybody else says what it receives.
  const Proc base = enter.info().base;
  const bool sends = base == Proc::scatter ? at_root : base == Proc::gather && !at_root;
  const ProgramPlan::Data& data = sends ? p.sent : p.received;
  if (data.count < 0 || data.type < 0) return false;  // a barrier
  return !moves(enter.value(data.count), enter.handle(data.type));
}

const ProgramPlan& program_plan(Proc proc) {
  static const std::vector<ProgramPlan> plans = [] {
    std::vector<ProgramPlan> all;
    for (int p = 0; p < static_cast<int>(Proc::count_); ++p)
      all.push_back(p == 0 ? ProgramPlan() : make(static_cast<Proc>(p)));
    return all;
  }();
  return plans[static_cast<std::size_t>(proc)];
}

}  // namespace vouch
