#include "policy/taker.h"

#include <algorithm>

#include "model/named_request.h"
#include "model/replay.h"

namespace vouch::policy {
namespace {

constexpr std::uint64_t kPersistent = std::uint64_t{1} << 63;

// Raw handles are addresses or 32-bit numbers, numbers of calls have 32 bits.
std::uint64_t key_of(const Request& r) { return r.persistent ? r.raw | kPersistent : r.call; }

// What no request stands for cannot be cancelled; libraries leave that part of its status alone.
wire::Status of_message(wire::Status status) {
  status.flags &= ~wire::kStatusCancelled;
  return status;
}

}  // namespace

ScheduleTaker::Plan ScheduleTaker::make_plan(Proc proc) {
  const ProcInfo& about = info(proc);
  Plan p;
  p.source = about.param("source");
  p.tag = about.param("recvtag") >= 0 ? about.param("recvtag") : about.param("tag");
  p.request = about.param("request");
  p.requests = about.param("array_of_requests");
  p.flag = about.param("flag");
  p.index = about.param("index");
  p.indices = about.param("array_of_indices");
  p.outcount = about.param("outcount");
  p.status = about.param("status");
  p.statuses = about.param("array_of_statuses");
  p.blocks = about.has(vouch::kBlocking);
  const bool messages = about.family == Family::p2p || about.family == Family::probe;
  if (messages && p.source >= 0 && !about.has(vouch::kPersistent)) {
    p.what = about.has(kPoll) ? Do::ask_for : Do::receive;
  } else if (proc == Proc::start || proc == Proc::startall) {
    p.what = Do::start;
  } else if (about.family == Family::completion) {
    p.what = Do::complete;
    p.picks = about.has(kPoll) || p.index >= 0 || p.indices >= 0;
  } else if (about.has(kPoll) && p.flag >= 0 && p.index < 0) {
    p.what = Do::ask;
  }
  return p;
}

ScheduleTaker::Local& ScheduleTaker::local(const Process& process) {
  if (process.index >= locals_.size()) locals_.resize(process.index + 1);
  return locals_[process.index];
}

const ScheduleTaker::Local* ScheduleTaker::local(const Process& process) const {
  return process.index < locals_.size() ? &locals_[process.index] : nullptr;
}

void ScheduleTaker::issue(Local& mine, std::uint64_t key, bool any_tag, std::uint32_t call) {
  ++mine.matches;
  if (mine.mine.matches.size() == kMostKept) too_long_ = true;
  if (too_long_) return;
  mine.waiting[key] = {mine.mine.matches.size(), any_tag, call};
  mine.mine.matches.emplace_back();
}

void ScheduleTaker::settle(Local& mine, std::uint64_t key, const wire::Status* status) {
  if (mine.waiting.empty()) return;
  const auto found = mine.waiting.find(key);
  if (found == mine.waiting.end()) return;
  Match& match = mine.mine.matches[found->second.match];
  if (status != nullptr && status->defined()) {
    if (status->cancelled()) {
      match.source = kNever;
    } else if (status->source >= 0) {
      match = {status->source, found->second.any_tag ? status->tag : kNoTag};
    }
  }
  mine.waiting.erase(found);
}

void ScheduleTaker::took(const Process& process, std::uint32_t call, int source, int tag) {
  Local& mine = local(process);
  const auto posted = [&](const auto& entry) { return entry.second.call == call; };
  if (std::count_if(mine.waiting.begin(), mine.waiting.end(), posted) != 1) return;
  const auto found = std::find_if(mine.waiting.begin(), mine.waiting.end(), posted);
  const wire::Status status{source, tag, 0, 0, 0};
  settle(mine, found->first, &status);
}

void ScheduleTaker::add(Local& mine, Pick pick, std::uint64_t times) {
  mine.picks += times;
  if (mine.mine.picks.size() == kMostKept) too_long_ = true;
  if (!too_long_) mine.mine.add(std::move(pick), times);
}

void ScheduleTaker::polls(const Process& process, std::uint64_t count) {
  Local& mine = local(process);
  if (count > 0) add(mine, {Pick::What::no, {}}, count);
}

void ScheduleTaker::enter(Process& process, const Call& call) {
  const Plan& p = plan(call.proc());
  Local& mine = local(process);
  if (p.what == Do::start) return start(process, call, p, mine);
  if (p.what != Do::receive) return;
  const Event enter = call.enter();
  if (enter.value(p.source) == wire::kAnySource)
    issue(mine, call.seq(), enter.value(p.tag) == wire::kAnyTag, call.seq());
}

const Request* ScheduleTaker::request_at(Process& process, const Call& call, const Plan& p,
                                         std::uint64_t i) {
  const Event enter = call.enter();
  const bool array = p.requests >= 0;
  if (array && i >= enter.array(p.requests).size()) return nullptr;
  return named_request(process, call, array ? p.requests : p.request, i).request;
}

void ScheduleTaker::start(Process& process, const Call& call, const Plan& p, Local& mine) {
  const std::uint64_t count = p.requests >= 0 ? call.enter().array(p.requests).size() : 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Request* r = request_at(process, call, p, i);
    if (r != nullptr && r->persistent && r->kind == RequestKind::recv &&
        r->peer == wire::kAnySource)
      issue(mine, key_of(*r), r->tag == wire::kAnyTag, call.seq());
  }
}

void ScheduleTaker::leave(Process& process, const Call& call, const Event& leave) {
  const Plan& p = plan(call.proc());
  Local& mine = local(process);
  const bool good = leave.error_class() == 0 && leave.has_words();
  switch (p.what) {
    case Do::receive:
      if (p.blocks) {
        wire::Status status{};
        if (good) status = of_message(leave.result_status(p.status));
        settle(mine, call.seq(), good ? &status : nullptr);
      }
      return;
    case Do::ask_for: {
      const bool seen = good && leave.result(p.flag) != 0;
      add(mine, {!good ? Pick::What::free : seen ? Pick::What::yes : Pick::What::no, {}});
      const Event enter = call.enter();
      if (!seen || enter.value(p.source) != wire::kAnySource) return;
      const wire::Status status = of_message(leave.result_status(p.status));
      issue(mine, call.seq(), enter.value(p.tag) == wire::kAnyTag, call.seq());
      return settle(mine, call.seq(), &status);
    }
    case Do::ask:
      return add(mine, {!good                       ? Pick::What::free
                        : leave.result(p.flag) != 0 ? Pick::What::yes
                                                    : Pick::What::no,
                        {}});
    case Do::complete:
      return complete(process, call, p, leave, mine);
    case Do::start:
    case Do::nothing:
      return;
  }
}

void ScheduleTaker::complete(Process& process, const Call& call, const Plan& p, const Event& leave,
                             Local& mine) {
  const auto one = [&](std::int64_t i, const wire::Status* status) {
    const Request* r =
        i < 0 ? nullptr : request_at(process, call, p, static_cast<std::uint64_t>(i));
    if (r != nullptr && r->state == RequestState::active) settle(mine, key_of(*r), status);
  };
  // After an error it is not known what is complete and what is not.
  if (leave.error_class() != 0 || !leave.has_words()) {
    if (p.picks) add(mine, {});
    return;
  }
  if (p.flag >= 0 && leave.result(p.flag) == 0) return add(mine, {Pick::What::no, {}});
  Pick pick;
  if (p.index >= 0) {
    const std::int64_t i = leave.result(p.index);
    pick.what = i >= 0 ? Pick::What::indices : Pick::What::undefined;
    if (i >= 0) pick.indices.push_back(static_cast<std::int32_t>(i));
    const wire::Status status = leave.result_status(p.status);
    one(i, &status);
  } else if (p.indices >= 0) {
    const ArrayView indices = leave.result_array(p.indices),
                    statuses = leave.result_array(p.statuses);
    const std::int64_t count = leave.result(p.outcount);
    pick.what = count < 0    ? Pick::What::undefined
                : count == 0 ? Pick::What::no
                             : Pick::What::indices;
    for (std::uint64_t k = 0; k < indices.size() && static_cast<std::int64_t>(k) < count; ++k) {
      pick.indices.push_back(static_cast<std::int32_t>(indices[k]));
      wire::Status status{};
      if (k < statuses.size()) status = statuses.status(k);
      one(indices[k], k < statuses.size() ? &status : nullptr);
    }
  } else {
    pick.what = Pick::What::yes;
    const ArrayView statuses = p.statuses >= 0 ? leave.result_array(p.statuses) : ArrayView();
    const std::uint64_t count = p.requests >= 0 ? call.enter().array(p.requests).size() : 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool has = p.statuses < 0 || i < statuses.size();
      wire::Status status{};
      if (has) status = p.statuses < 0 ? leave.result_status(p.status) : statuses.status(i);
      one(static_cast<std::int64_t>(i), has ? &status : nullptr);
    }
  }
  if (p.picks) add(mine, std::move(pick));
}

Schedule ScheduleTaker::schedule(const World& world) const {
  Schedule all;
  for (std::size_t i = 0; i < locals_.size() && i < world.processes(); ++i) {
    const Process& process = world.process(i);
    if (process.rank.value >= 0 && !process.spawned)
      all.ranks[process.rank.value] = locals_[i].mine;
  }
  all.normalize();
  return all;
}

std::uint64_t ScheduleTaker::matches(const Process& process) const {
  const Local* mine = local(process);
  return mine != nullptr ? mine->matches : 0;
}

std::uint64_t ScheduleTaker::picks(const Process& process) const {
  const Local* mine = local(process);
  return mine != nullptr ? mine->picks : 0;
}

namespace {

class TraceTaker final : public Replay::Listener {
 public:
  void on_enter(Process& p, Call& call) override {
    if (taker.sees(call.proc())) taker.enter(p, call);
  }
  void on_leave(Process& p, Call& call, const Event& leave) override {
    if (taker.sees(call.proc())) taker.leave(p, call, leave);
  }
  void on_polls(Process& p, const Event& meta) override { taker.polls(p, meta.word(0)); }
  ScheduleTaker taker;
};

}  // namespace

Schedule schedule_of(const TextTrace& trace) {
  World world;
  TraceTaker listener;
  Replay(world).run(trace, &listener);
  return listener.taker.schedule(world);
}

}  // namespace vouch::policy
