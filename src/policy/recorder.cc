#include "policy/recorder.h"

#include <algorithm>

#include "model/replay.h"

namespace vouch::policy {
namespace {

// What no request stands for cannot be cancelled; libraries leave that part of its status alone.
wire::Status of_message(const Act& act) {
  wire::Status status = act.status;
  status.flags &= ~wire::kStatusCancelled;
  if (act.error != 0) status.flags |= wire::kStatusUndefined;
  return status;
}

// Whether an answer of the call is the library's choice.
bool is_pick(const ProcInfo& about) { return about.has(kPoll) || about.at.index >= 0; }

}  // namespace

bool ScheduleRecorder::sees(Proc proc) {
  const ProcInfo& about = info(proc);
  switch (about.role) {
    case CallRole::post:
      return about.recv.peer >= 0 && about.family == Family::p2p && !about.has(kPersistent);
    case CallRole::probe:
    case CallRole::mprobe:
    case CallRole::start:
    case CallRole::complete:
      return true;
    default:
      return about.has(kPoll) && about.at.flag >= 0 && about.at.index < 0;
  }
}

void ScheduleRecorder::issue(Local& mine, OperationKey op, bool any_tag) {
  ++mine.matches;
  if (mine.mine.matches.size() == kMostKept) too_long_ = true;
  if (too_long_) return;
  mine.waiting[op] = {mine.mine.matches.size(), any_tag};
  mine.mine.matches.emplace_back();
}

void ScheduleRecorder::settle(Local& mine, OperationKey op, const wire::Status& status) {
  if (mine.waiting.empty()) return;
  const auto found = mine.waiting.find(op);
  if (found == mine.waiting.end()) return;
  Match& match = mine.mine.matches[found->second.match];
  if (status.cancelled()) {
    match.source = kNever;
  } else if (status.names_message()) {
    match = {status.source, found->second.any_tag ? status.tag : kNoTag};
  }
  mine.waiting.erase(found);
}

void ScheduleRecorder::took(const Process& process, std::uint32_t call, int source, int tag) {
  Local& mine = locals_[process];
  const auto posted = [&](const auto& entry) { return call_of(entry.first) == call; };
  if (std::count_if(mine.waiting.begin(), mine.waiting.end(), posted) != 1) return;
  const auto found = std::find_if(mine.waiting.begin(), mine.waiting.end(), posted);
  settle(mine, found->first, {source, tag, 0, 0, 0});
}

void ScheduleRecorder::add(Local& mine, Pick pick, std::uint64_t times) {
  mine.picks += times;
  if (mine.mine.picks.size() == kMostKept) too_long_ = true;
  if (!too_long_) mine.mine.add(std::move(pick), times);
}

void ScheduleRecorder::polls(const Process& process, std::uint64_t count) {
  Local& mine = locals_[process];
  if (count > 0) add(mine, {Pick::What::no, {}}, count);
}

// Numbers count what the program asks for, whatever becomes of it.
void ScheduleRecorder::enter(const Process& process, const Call& call, std::span<const Act> acts) {
  Local& mine = locals_[process];
  for (const Act& act : acts) {
    if (call.info().role == CallRole::start) {
      const Request& r = *act.parts[0].request;
      if (r.kind == RequestKind::recv && r.peer == wire::kAnySource)
        issue(mine, act.op, r.tag == wire::kAnyTag);
    } else if (act.recv.there && act.recv.peer == wire::kAnySource) {
      issue(mine, act.op, act.recv.tag == wire::kAnyTag);
    }
  }
}

void ScheduleRecorder::leave(const Process& process, const Call& call, const Event& leave,
                             std::span<const Act> acts) {
  const ProcInfo& about = call.info();
  Local& mine = locals_[process];
  if (!ActReader::sees(about.role)) {
    const bool good = leave.error_class() == 0 && leave.has_words();
    const bool yes = good && leave.result(about.at.flag) != 0;
    return add(mine, {!good ? Pick::What::free : yes ? Pick::What::yes : Pick::What::no, {}});
  }
  for (const Act& act : acts) {
    if (about.role == CallRole::complete) {
      completed(call, act, leave, mine);
    } else if (about.has(kPoll)) {
      probed(act, mine);
    } else if (act.what == Act::What::returned || act.what == Act::What::withdrawn) {
      settle(mine, act.op, of_message(act));
    }
  }
  // After an error that left no answer.
  if (about.role == CallRole::complete && leave.error_class() != 0 && is_pick(about)) add(mine, {});
}

// MPI_Iprobe, MPI_Improbe: only those that find something are numbered.
void ScheduleRecorder::probed(const Act& act, Local& mine) {
  if (act.what == Act::What::posted) return;
  const bool seen = act.what == Act::What::returned;
  const bool good = act.error == 0 && act.told;
  add(mine, {!good ? Pick::What::free : seen ? Pick::What::yes : Pick::What::no, {}});
  if (!seen || !act.recv.there || act.recv.peer != wire::kAnySource) return;
  issue(mine, act.op, act.recv.tag == wire::kAnyTag);
  settle(mine, act.op, of_message(act));
}

void ScheduleRecorder::completed(const Call& call, const Act& act, const Event& leave,
                                 Local& mine) {
  const ProcInfo& about = call.info();
  // After an error it is not known what is complete and what is not.
  if (act.error != 0) return;
  if (!act.told) {
    if (is_pick(about)) add(mine, {});
    return;
  }
  if (act.what == Act::What::asked) return add(mine, {Pick::What::no, {}});
  for (const NamedPart& part : act.parts) {
    if (part.done) settle(mine, part.op, part.status);
  }
  if (!is_pick(about)) return;
  Pick pick;
  pick.what = Pick::What::yes;
  if (about.at.outcount >= 0) {
    const ArrayView indices = leave.result_array(about.at.index);
    const std::int64_t count = leave.result(about.at.outcount);
    pick.what = count < 0    ? Pick::What::undefined
                : count == 0 ? Pick::What::no
                             : Pick::What::indices;
    for (std::uint64_t k = 0; k < indices.size() && static_cast<std::int64_t>(k) < count; ++k)
      pick.indices.push_back(static_cast<std::int32_t>(indices[k]));
  } else if (about.at.index >= 0) {
    const std::int64_t i = leave.result(about.at.index);
    pick.what = i >= 0 ? Pick::What::indices : Pick::What::undefined;
    if (i >= 0) pick.indices.push_back(static_cast<std::int32_t>(i));
  }
  add(mine, std::move(pick));
}

Schedule ScheduleRecorder::schedule(const World& world) const {
  Schedule all;
  for (std::size_t i = 0; i < world.processes(); ++i) {
    const Process& process = world.process(i);
    const Local* its = locals_.find(i);
    if (its != nullptr && process.rank.value >= 0 && !process.spawned)
      all.ranks[process.rank.value] = its->mine;
  }
  all.normalize();
  return all;
}

std::uint64_t ScheduleRecorder::matches(const Process& process) const {
  const Local* mine = locals_.find(process);
  return mine != nullptr ? mine->matches : 0;
}

std::uint64_t ScheduleRecorder::picks(const Process& process) const {
  const Local* mine = locals_.find(process);
  return mine != nullptr ? mine->picks : 0;
}

namespace {

class TraceRecorder final : public Replay::Listener {
 public:
  void on_enter(Process& p, Call& call) override {
    if (recorder.sees(call.proc())) recorder.enter(p, call, reader_.enter(p, call));
  }
  void on_leave(Process& p, Call& call, const Event& leave) override {
    if (recorder.sees(call.proc())) recorder.leave(p, call, leave, reader_.leave(p, call, leave));
  }
  void on_polls(Process& p, const Event& meta) override { recorder.polls(p, meta.word(0)); }
  ScheduleRecorder recorder;

 private:
  ActReader reader_;
};

}  // namespace

Schedule schedule_of(const TextTrace& trace) {
  World world;
  TraceRecorder listener;
  Replay(world).run(trace, &listener);
  return listener.recorder.schedule(world);
}

}  // namespace vouch::policy
