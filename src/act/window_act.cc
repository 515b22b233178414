#include "act/window_act.h"

#include <vector>

#include "event/wire.h"

namespace vouch {
namespace {

MovedSide side_of(const Process& process, const Event& enter, int buffer, int count, int type) {
  MovedSide s;
  if (type < 0) return s;
  s.address = buffer < 0 ? 0 : enter.address(buffer);
  s.count = count < 0 ? 1 : enter.value(count);
  const Datatype* d = process.datatypes.find(enter.handle(type));
  if (d != nullptr && !d->poisoned) s.type = d->type;
  s.there = s.count > 0 && (s.type == nullptr || s.type->size > 0);
  return s;
}

void read_move(WindowAct& a, const Process& process, const Event& enter) {
  const WindowCall& c = *a.call;
  const int type = c.target_type;
  a.at_target = side_of(process, enter, -1, c.target_count, type);
  a.at_target.address = static_cast<std::uint64_t>(enter.value(c.disp));
  if (c.op >= 0) a.op = process.constant_of(Kind::op, enter.handle(c.op));
  const int origin_type = c.origin_type < 0 ? type : c.origin_type;
  // MPI-4.1 12.3.4: of MPI_NO_OP the origin is ignored.
  if (a.op != Constant::no_op)
    a.origin = side_of(process, enter, c.origin, c.origin_count, origin_type);
  if (c.result >= 0)
    a.result =
        side_of(process, enter, c.result, c.result_count, c.result_type < 0 ? type : c.result_type);
  if (c.compare >= 0) a.compare = side_of(process, enter, c.compare, -1, type);
}

}  // namespace

WindowAct window_act(const Process& process, const Call& call) {
  WindowAct a;
  const WindowCall& c = window_call(call.proc());
  a.call = &c;
  a.deed = c.deed;
  if (c.deed == WindowDeed::none || c.deed == WindowDeed::create) return a;
  const Event enter = call.enter();
  a.window = enter.handle(c.win);
  if (c.rank >= 0) {
    a.target = enter.value(c.rank);
    const Window* w = process.windows.find(a.window);
    a.nobody = a.target < 0 || (w != nullptr && a.target >= w->size);
  }
  if (c.assert >= 0) {
    const auto bits = static_cast<std::uint64_t>(enter.value(c.assert));
    const auto says = [&](Constant bit) { return (bits & process.raw_of(bit)) != 0; };
    a.no_precede = says(Constant::mode_noprecede);
    a.no_succeed = says(Constant::mode_nosucceed);
    a.no_check = says(Constant::mode_nocheck);
    a.no_store = says(Constant::mode_nostore);
    a.no_put = says(Constant::mode_noput);
  }
  if (c.lock_type >= 0) {
    a.exclusive =
        process.constant_of(Kind::lock_type, enter.handle(c.lock_type)) == Constant::lock_exclusive;
  }
  if (c.group >= 0) {
    const Group* group = process.groups.find(enter.handle(c.group));
    if (group != nullptr && !group->poisoned) a.group = group->members;
  }
  if (c.deed == WindowDeed::move && !a.nobody) read_move(a, process, enter);
  return a;
}

bool ranks_in(const Members& window, const Members* group, std::vector<int>& ranks) {
  ranks.clear();
  if (group == nullptr) return false;
  for (const int rank : group->list()) {
    const int member = window.rank_of(WorldRank{rank}).value;
    if (member < 0) return false;
    ranks.push_back(member);
  }
  return true;
}

}  // namespace vouch
