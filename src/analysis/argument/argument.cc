#include "analysis/argument/argument.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "analysis/argument/check.h"
#include "analysis/digest.h"
#include "event/plan_table.h"
#include "type/op_class.h"

namespace vouch {

Argument::Argument(World& world, Sink& sink, bool short_way)
    : Analysis(world, sink), plans_(plan_table<compile_plan>()), short_way_(short_way) {}

Wants Argument::wants(Proc proc) const {
  Wants wants;
  wants.enter = !plans_[static_cast<std::size_t>(proc)].empty();
  wants.not_repeated = true;
  wants.leave = proc == Proc::open_port || proc == Proc::close_port ||
                AttributeHolders::wants(info(proc)) || NullOrigins::wants(info(proc));
  return wants;
}

void Argument::on_enter(Process& process, Call& call) {
  if (call.poisoned || call.repeated) return;
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  int open = kAnything;
  if (short_way_ && !plan.glances.empty()) open = doubtful(process, call, plan);
  if (open == kFine) return;
  call.plain = false;
  if (open != kAnything) return judge_value(process, call, plan, open);
  if (!before_.empty() && as_before(process, call)) return;
  fired_.clear();
  counted_ = false;
  judge(process, call, plan);
  if (!fired_.empty() && !counted_) remember(process, call);
}

namespace {

std::uint64_t place_key(const Process& process, const Call& call) {
  return std::uint64_t{process.index} << 32 | call.site().value;
}

}  // namespace

// Counts the findings of the last call here once more, if this one is its repetition.
bool Argument::as_before(const Process& process, Call& call) {
  const auto found = before_.find(place_key(process, call));
  if (found == before_.end()) return false;
  const Before& before = found->second;
  if (before.proc != call.proc() || before.changes != process.changes ||
      before.words != digest_of(call.enter()))
    return false;
  for (const Before::Fired& f : before.fired) {
    if (!sink_.again({f.rule, f.severity, f.places, f.cause, false, {}, f.common_key}))
      return false;
    spoil(call, f.rule, f.severity);
  }
  return true;
}

void Argument::remember(const Process& process, const Call& call) {
  // What an array holds is not among the words.
  for (const Param& p : call.info().params) {
    if (p.is_array()) return;
  }
  if (before_.size() >= kBefore) before_.clear();
  before_[place_key(process, call)] = {call.proc(), process.changes, digest_of(call.enter()),
                                       std::move(fired_)};
  fired_.clear();
}

void Argument::judge(Process& process, Call& call, const Plan& plan) {
  Checker checker(*this, plan, process, call);
  for (const std::vector<Step>& steps : plan.stages) {
    for (const Step& step : steps) step.check(checker, step);
    if (call.poisoned) return;
  }
}

// All else of the call is fine, however this value is to be judged.
void Argument::judge_value(Process& process, Call& call, const Plan& plan, int param) {
  Checker checker(*this, plan, process, call);
  for (const std::vector<Step>& steps : plan.stages) {
    for (const Step& step : steps) {
      if (step.param == param || step.param < 0) step.check(checker, step);
    }
    if (call.poisoned) break;
  }
  fired_.clear();
}

// Must say kFine only where judge() would find nothing, and name a parameter only where it would
// find nothing about the others. What the last call at the place said as well was fine then.
int Argument::doubtful(const Process& process, const Call& call, const Plan& plan) const {
  const Event event = call.enter();
  const bool same_objects = (call.changed & plan.objects) == 0;
  const std::uint32_t changed = same_objects ? call.changed : ~std::uint32_t{0};
  const Communicator* comm =
      same_objects && plan.comm >= 0 ? process.comms.find(event.handle(plan.comm)) : nullptr;
  const Datatype* type = nullptr;
  int open = kFine;
  for (const Glance& glance : plan.glances) {
    if ((changed >> glance.word & 1) == 0) continue;
    const std::uint64_t word = event.word(glance.word);
    const std::int64_t value = static_cast<std::int64_t>(word);
    bool good = true;
    switch (glance.what) {
      case Glance::What::comm:
        comm = process.comms.find(word);
        if (!comm || comm->poisoned || !comm->ready || comm->no_any_tag || comm->no_any_source)
          return kAnything;
        break;
      case Glance::What::datatype:
        type = process.datatypes.find(word);
        if (!type || type->poisoned || !type->committed) return kAnything;
        break;
      case Glance::What::count:
        good = value >= 0;
        break;
      case Glance::What::source:
        if (value == wire::kAnySource) break;
        [[fallthrough]];
      case Glance::What::rank:
        good = (value >= 0 && value < comm->peer_size()) || value == wire::kProcNull;
        break;
      case Glance::What::any_tag:
        if (value == wire::kAnyTag) break;
        [[fallthrough]];
      case Glance::What::tag:
        good = value >= 0 && value <= 32767;
        break;
      case Glance::What::root:
        good = !comm->inter() && value >= 0 && value < comm->size;
        break;
      case Glance::What::op: {
        const Op* op = process.ops.find(word);
        if (!op || op->poisoned) return kAnything;
        if (!op->predefined()) break;
        if (!op_takes(op->constant, type->constant)) return kAnything;
        break;
      }
      case Glance::What::buffer_in_place:
        if (word == wire::kInPlace && !comm->inter()) break;
        [[fallthrough]];
      case Glance::What::buffer:
        if (word == 0 || word == wire::kInPlace) return kAnything;
        break;
      case Glance::What::pointer:
        if (word == 0) return kAnything;
        break;
    }
    if (good) continue;
    if (open != kFine) return kAnything;
    open = glance.param;
  }
  return open;
}

void Argument::on_leave(Process& process, Call& call, const Event& leave) {
  if (leave.error_class() != 0) return;
  if (NullOrigins::wants(call.info())) nulls_.learn(process, call, leave);
  if (AttributeHolders::wants(call.info())) return attributes_.learn(process, call, leave);
  if (call.proc() != Proc::open_port && call.proc() != Proc::close_port) return;
  const int port = call.info().param(Arg::port_name);
  if (call.proc() == Proc::close_port) {
    closed_ports_[std::string(call.enter().array(port).text())].insert(process.index);
  } else if (call.info().params[static_cast<std::size_t>(port)].leave_tail >= 0) {
    const std::string_view text = leave.result_array(port).text();
    closed_ports_.erase(std::string(text.substr(0, text.find('\0'))));
  }
}

namespace {

// "sendtype" or "null sendtype": two arguments of a call may be wrong for one reason each.
std::string_view cause_of(const Charge& charge, const char* param, std::span<char> room) {
  if (charge.why == Cause::none) return param;
  const auto end = fmt::format_to_n(room.data(), room.size(), "{} {}", info(charge.why).key, param);
  return {room.data(), std::min(end.size, room.size())};
}

}  // namespace

bool Argument::known(const Process& process, Call& call, const Charge& charge, const char* param,
                     const Trails& more, std::uint64_t common_key) {
  char room[96];
  Involved places[1 + std::size(more.list)] = {{process.rank, call.site()}};
  for (int i = 0; i < more.count; ++i) places[i + 1] = {process.rank, more.list[i].site};
  const auto count = static_cast<std::size_t>(more.count) + 1;
  const std::string_view cause = cause_of(charge, param, room);
  if (sink_.again({charge.rule, charge.severity, {places, count}, cause, false, {}, common_key})) {
    counted_ = true;
    spoil(call, charge.rule, charge.severity);
    return true;
  }
  if (charge.severity != Severity::info)
    fired_.push_back(
        {charge.rule, charge.severity, std::string(cause), {places, places + count}, common_key});
  return false;
}

void Argument::tell(Process& process, Call& call, const Charge& charge, const char* param,
                    std::string message, const Trails& more, std::string common,
                    std::uint64_t common_key) {
  char room[96];
  Report report{.rule = charge.rule,
                .severity = charge.severity,
                .message = std::move(message),
                .cause = std::string(cause_of(charge, param, room)),
                .places = {place_of(process, call)},
                .why = charge.why,
                .common = std::move(common),
                .common_key = common_key};
  for (int i = 0; i < more.count; ++i) {
    const Trail& t = more.list[i];
    report.places.push_back(
        {process.rank, t.site, t.by == Proc::none ? "" : info(t.by).name, t.role});
  }
  sink_.report(std::move(report));
  spoil(call, charge.rule, charge.severity);
}

bool Argument::first_time(const Call& call, int param) {
  return told_
      .insert((std::uint64_t{call.site().value} << 8) | static_cast<std::uint64_t>(param & 0xff))
      .second;
}

}  // namespace vouch
