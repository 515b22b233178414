#include "trace_program/plan.h"

#include <algorithm>
#include <vector>

namespace vouch {
namespace {

using Do = ProgramPlan::Do;
using predict::SyncKind;

// False: no member need wait for another, or only for some that the program cannot name.
bool synchronises(Flow flow, SyncKind& sync) {
  switch (flow) {
    case Flow::none:
    case Flow::neighbours:
    case Flow::nobody:
      return false;
    case Flow::all:
      sync = SyncKind::all;
      return true;
    case Flow::from_root:
      sync = SyncKind::from_root;
      return true;
    case Flow::to_root:
      sync = SyncKind::to_root;
      return true;
    case Flow::prefix:
      sync = SyncKind::prefix;
      return true;
    case Flow::root_to_me:
    case Flow::each_to_root:
    case Flow::each_to_me:
    case Flow::all_to_my_part:
      sync = SyncKind::listed;
      return true;
  }
  return false;
}

ProgramPlan make(Proc proc) {
  ProgramPlan p;
  const ProcInfo& about = info(proc);
  switch (about.family) {
    case Family::p2p:
    case Family::request:
    case Family::probe:
    case Family::completion:
      // A matched message was received when its probe matched it.
      if (about.role != CallRole::none && about.role != CallRole::mrecv) p.what = Do::message;
      break;
    case Family::collective:
    case Family::comm:
    case Family::topology:
      // Constructors that only some members of a communicator call have no flag of their own.
      if (about.has(kCollective))
        p.what =
            about.at.object >= 0 && synchronises(about.flow, p.sync) ? Do::collective : Do::unknown;
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
  if (proc == Proc::comm_create_group) p.what = Do::collective;
  if (about.family == Family::comm && about.flow == Flow::nobody) p.what = Do::nothing;
  return p;
}

}  // namespace

std::vector<int> sources_of(const Event& enter, const std::vector<int>& members, int process,
                            const MovesData& moves) {
  const ProcInfo& about = enter.info();
  const Flow flow = about.flow;
  const auto me = static_cast<std::size_t>(std::find(members.begin(), members.end(), process) -
                                           members.begin());
  const auto root =
      about.at.root >= 0 ? static_cast<std::size_t>(enter.value(about.at.root)) : members.size();
  const auto list = [&](int param) {
    return about.params[static_cast<std::size_t>(param)].is_array() ? enter.array(param)
                                                                    : ArrayView();
  };
  const ArrayView counts = list(about.recv.count), types = list(about.recv.type);
  const auto type = [&](std::size_t i) {
    const bool each = about.params[static_cast<std::size_t>(about.recv.type)].is_array();
    return i < types.size() ? static_cast<std::uint64_t>(types[i])
           : each           ? 0
                            : enter.handle(about.recv.type);
  };
  // What is not told counts as something.
  const auto some = [&](std::size_t i) { return i >= counts.size() || moves(counts[i], type(i)); };
  std::vector<int> sources;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool needed = flow == Flow::each_to_me     ? some(i)
                        : flow == Flow::each_to_root ? me == root && some(i)
                        : flow == Flow::root_to_me
                            ? i == root && moves(enter.value(about.recv.count), type(i))
                            : some(me);
    if (needed && i != me) sources.push_back(members[i]);
  }
  return sources;
}

bool moves_nothing(const Event& enter, bool at_root, const MovesData& moves) {
  const ProcInfo& about = enter.info();
  if (about.family != Family::collective || program_plan(enter.proc()).sync == SyncKind::listed)
    return false;
  // The root of a scatter sends, the others of a gather do; everybody else says what it receives.
  const bool sends = about.base == Proc::scatter ? at_root : about.base == Proc::gather && !at_root;
  const TransferSide& data = sends ? about.send : about.recv;
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
