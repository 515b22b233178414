#include "analysis/request/request.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/named_request.h"

namespace vouch {
namespace {

const char* kind_words(const Request& request) {
  switch (request.kind) {
    case RequestKind::send:
      return "a send";
    case RequestKind::recv:
      return "a receive";
    case RequestKind::collective:
      return "a collective operation";
    case RequestKind::rma:
      return "a one-sided operation";
    case RequestKind::io:
      return "a file operation";
    case RequestKind::partitioned_send:
      return "a partitioned send";
    case RequestKind::partitioned_recv:
      return "a partitioned receive";
    case RequestKind::generalized:
      return "a generalized request";
    case RequestKind::comm_idup:
      return "a duplication of a communicator";
    case RequestKind::other:
      break;
  }
  return "another operation";
}

// MPI-4.1 6.12, 12.3.5, 4.2.1: neither freed while active nor cancelled.
bool bound_to_complete(const Request& request) {
  switch (request.kind) {
    case RequestKind::collective:
    case RequestKind::comm_idup:
    case RequestKind::rma:
    case RequestKind::partitioned_send:
    case RequestKind::partitioned_recv:
      return true;
    case RequestKind::io:
      return info(request.made_by).has(kCollective);
    default:
      return false;
  }
}

Place site_place(const Process& process, Site site, Proc proc, std::string role) {
  return {process.rank, site, info(proc).name, std::move(role)};
}

std::string argument(const Call& call, int param, int index) {
  const char* name = call.info().params[static_cast<std::size_t>(param)].name;
  return index < 0 ? std::string(name) : fmt::format("{}[{}]", name, index);
}

}  // namespace

Place RequestUse::started_place(const Process& process, const Request& request) const {
  if (!request.persistent) return made_place(process, request);
  const Proc by = startalls_.contains(request.started) ? Proc::startall : Proc::start;
  return site_place(process, request.started, by, "started here");
}

RequestUse::RequestUse(World& world, Sink& sink) : Analysis(world, sink) {}

RequestUse::Plan RequestUse::plan(Proc proc) {
  const ProcInfo& about = info(proc);
  // MPI-4.1 19.3.4: conversions map null handles to null ones and invalid ones to invalid ones.
  if (about.family == Family::conversion) return {};
  if (about.base == Proc::precv_init || proc == Proc::precv_init) return {Use::precv_init, -1};
  for (std::size_t i = 0; i < about.params.size(); ++i) {
    const Param& p = about.params[i];
    const int param = static_cast<int>(i);
    if (p.kind == Kind::message && p.dir != Dir::out) return {Use::receive_message, param};
    if (p.kind != Kind::request || p.dir == Dir::out) continue;
    switch (about.role) {
      case CallRole::start:
        return {Use::start, param};
      case CallRole::free:
        return {Use::free, param};
      case CallRole::cancel:
        return {Use::cancel, param};
      case CallRole::ready:
        return {Use::pready, param};
      default:
        break;
    }
    if (proc == Proc::parrived) return {Use::parrived, param};
    if (proc == Proc::grequest_complete) return {Use::grequest_complete, param};
    if (about.family == Family::completion && p.dir == Dir::inout)
      return {p.is_array() ? Use::complete_many : Use::complete_one, param};
    return {Use::look, param};
  }
  return {};
}

Wants RequestUse::wants(Proc proc) const {
  return {.enter = plans_[static_cast<std::size_t>(proc)].use != Use::none};
}

void RequestUse::on_enter(Process& process, Call& call) {
  if (call.poisoned) return;
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  if (plan.use == Use::receive_message) return receive_message(process, call, plan.param);
  if (plan.use == Use::precv_init) return precv_init(process, call);
  const Param& p = call.info().params[static_cast<std::size_t>(plan.param)];
  if (p.is_array()) return many(process, call, plan.param, plan.use);

  // MPI-4.1 3.7.3: completing or asking after MPI_REQUEST_NULL is defined; nothing else is.
  const bool null_allowed =
      plan.use == Use::complete_one || plan.use == Use::look || plan.use == Use::parrived;
  const Event enter = call.enter();
  const std::uint64_t raw = enter.handle(plan.param);
  if (process.requests.find(raw) == nullptr) return missing(process, call, raw, -1, null_allowed);
  const Request* request = named_request(process, call, plan.param).request;
  if (request != nullptr && !request->poisoned) one(process, call, *request, plan.use);
}

void RequestUse::missing(Process& process, Call& call, std::uint64_t raw, int index,
                         bool null_allowed) {
  const int param = plans_[static_cast<std::size_t>(call.proc())].param;
  if (process.is_null(Kind::request, raw)) {
    if (!null_allowed && !again(process, call, Cause::request_null))
      report(process, call, Cause::request_null,
             fmt::format("{} is MPI_REQUEST_NULL", argument(call, param, index)));
    return;
  }
  // What Open MPI makes of a Fortran handle that was freed or never made.
  if (raw == 0 && process.library == wire::Library::openmpi) {
    if (again(process, call, Cause::request_invalid)) return;
    report(process, call, Cause::request_invalid,
           fmt::format("{} is not a valid handle: completed before, or never made",
                       argument(call, param, index)));
    return;
  }
  if (const Request* stale = process.requests.stale(raw)) {
    if (stale->poisoned) return;
    // MPI-4.1 13.2: MPI_Request_free and MPI_Grequest_complete come in any order; the last of the
    // two ends the request.
    if (call.proc() == Proc::grequest_complete && stale->kind == RequestKind::generalized &&
        stale->freed_by == Proc::request_free && stale->state == RequestState::active)
      return;
    if (again(process, call, Cause::request_stale, {stale->freed, stale->made})) return;
    const bool freed = stale->freed_by == Proc::request_free;
    report(process, call, Cause::request_stale,
           fmt::format("{} was already {}", argument(call, param, index),
                       freed ? "freed" : "completed"),
           {freed_place(process, *stale, freed ? "freed here" : "completed here"),
            made_place(process, *stale)},
           mention(stale->freed) + mention(stale->made));
    return;
  }
  // [U10]: a handle whose birth was not seen is a gap, never a finding.
  call.unseen |= std::uint64_t{1} << (param & 63);
}

void RequestUse::many(Process& process, Call& call, int param, Use use) {
  if (call.proc() == Proc::startall) startalls_.insert(call.site());
  const NamedRequests all(process, call, param);
  entries_.clear();
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const std::uint64_t raw = all.raw(i);
    const int index = static_cast<int>(i);
    const Request* newest = process.requests.find(raw);
    if (newest == nullptr) {
      missing(process, call, raw, index, use != Use::start);
      continue;
    }
    const Request* request = all.of(i, newest).request;
    if (request == nullptr || request->poisoned) continue;
    if (use == Use::start) start(process, call, *request, index);
    // MPI-4.1 3.7.5: inactive entries may stand there as often as they like.
    if (use == Use::start || request->state == RequestState::active)
      entries_.push_back({raw, index, static_cast<int>(newest->twins.size()) + 1});
  }
  if (entries_.size() < 2) return;
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.raw != b.raw ? a.raw < b.raw : a.index < b.index;
  });
  for (std::size_t first = 0; first < entries_.size();) {
    std::size_t end = first + 1;
    while (end < entries_.size() && entries_[end].raw == entries_[first].raw) ++end;
    // Several requests may share a handle (Request::twins): as many entries as requests is no
    // duplicate.
    if (end - first > static_cast<std::size_t>(entries_[first].live)) {
      const Request* request = process.requests.find(entries_[first].raw);
      const bool starts = use == Use::start;
      const auto words = [&] {
        return fmt::format("entries {} and {} of {} are one request", entries_[end - 2].index,
                           entries_[end - 1].index, argument(call, param, -1));
      };
      if (starts && !again(process, call, Cause::start_duplicate, {request->made}))
        report(process, call, Cause::start_duplicate, words(), {made_place(process, *request)});
      if (!starts && !again(process, call, Rule::request_duplicate, "", {request->made}))
        report(process, call, Rule::request_duplicate, words(), "",
               {made_place(process, *request)});
    }
    first = end;
  }
}

void RequestUse::one(Process& process, Call& call, const Request& request, Use use) {
  switch (use) {
    case Use::complete_one:
      if (request.persistent && !request.ever_started &&
          !again(process, call, Cause::never_waited, {request.made}))
        report(process, call, Cause::never_waited,
               fmt::format("{} was never started: the call returns at once",
                           argument(call, call.info().first(Kind::request, Dir::inout), -1)),
               {made_place(process, request)});
      return;
    case Use::start:
      return start(process, call, request, -1);
    case Use::free:
      return free(process, call, request);
    case Use::cancel:
      return cancel(process, call, request);
    case Use::pready:
      return pready(process, call, request);
    case Use::parrived:
      return parrived(process, call, request);
    case Use::grequest_complete:
      return grequest_complete(process, call, request);
    default:
      return;
  }
}

void RequestUse::start(Process& process, Call& call, const Request& request, int index) {
  const bool active = request.state == RequestState::active;
  if (request.persistent && !active) return;
  if (request.persistent ? again(process, call, Cause::start_active,
                                 {started_place(process, request).site, request.made})
                         : again(process, call, Cause::start_kind, {request.made}))
    return;
  const std::string name =
      argument(call, plans_[static_cast<std::size_t>(call.proc())].param, index);
  if (!request.persistent)
    report(process, call, Cause::start_kind,
           fmt::format("{} is {}, not persistent", name, kind_words(request)),
           {made_place(process, request)});
  else
    report(process, call, Cause::start_active, fmt::format("{} is already active", name),
           {started_place(process, request), made_place(process, request)});
}

void RequestUse::free(Process& process, Call& call, const Request& request) {
  if (request.persistent && !request.ever_started) {
    if (again(process, call, Cause::never_freed, {request.made})) return;
    return report(process, call, Cause::never_freed, "freed without ever being started",
                  {made_place(process, request)});
  }
  if (request.state != RequestState::active || request.cancelled) return;
  const bool bound = bound_to_complete(request);
  if (!bound && request.kind != RequestKind::recv) return;
  if (again(process, call, Rule::request_free, bound ? Severity::error : Severity::warning,
            bound ? "active" : info(Cause::free_receive).key,
            {started_place(process, request).site}))
    return;
  if (bound)
    report(process, call, Rule::request_free,
           fmt::format("{} is freed while active", kind_words(request)), "active",
           {started_place(process, request)});
  else
    // Nobody can know when the data is there (MPI-4.1 3.7.3 advises against it).
    report(process, call, Cause::free_receive, Severity::warning,
           "a receive is freed while active: nothing shows when its data has arrived",
           {started_place(process, request)});
}

void RequestUse::cancel(Process& process, Call& call, const Request& request) {
  if (bound_to_complete(request)) {
    if (again(process, call, Cause::cancel_kind, {started_place(process, request).site})) return;
    report(process, call, Cause::cancel_kind,
           fmt::format("{} cannot be cancelled", kind_words(request)),
           {started_place(process, request)});
  } else if (request.state == RequestState::inactive) {
    if (again(process, call, Cause::cancel_inactive, {request.made})) return;
    report(process, call, Cause::cancel_inactive, "the request is not active",
           {made_place(process, request)});
  } else if (request.kind == RequestKind::send) {
    if (again(process, call, Rule::request_cancel, Severity::info, info(Cause::cancel_send).key,
              {started_place(process, request).site}))
      return;
    report(process, call, Cause::cancel_send, Severity::info,
           "cancelling a send is deprecated since MPI-4.0", {started_place(process, request)});
  }
}

// A request that is not of the kind that the call is for.
void RequestUse::not_one(Process& process, Call& call, Cause cause, const Request& request,
                         const char* kind) {
  if (again(process, call, cause, {request.made})) return;
  report(process, call, cause, fmt::format("the request is {}, not {}", kind_words(request), kind),
         {made_place(process, request)});
}

void RequestUse::out_of_range(Process& process, Call& call, const Request& request,
                              std::int64_t partition) {
  if (again(process, call, Cause::partition_range, {request.made})) return;
  report(process, call, Cause::partition_range,
         fmt::format("partition {} is not in 0..{}", partition, request.partitions - 1),
         {made_place(process, request)});
}

// What is sent twice, its receiver has no place for, and may die of.
void RequestUse::ready_twice(Process& process, Call& call, const Request& request,
                             std::int64_t partition, const char* how) {
  damage().record_first(process, call.site());
  if (again(process, call, Cause::partition_twice, {started_place(process, request).site})) return;
  report(process, call, Cause::partition_twice, fmt::format("partition {} {}", partition, how),
         {started_place(process, request)});
}

void RequestUse::pready(Process& process, Call& call, const Request& request) {
  if (request.kind != RequestKind::partitioned_send)
    return not_one(process, call, Cause::partition_kind, request, "a partitioned send");
  if (request.state != RequestState::active) {
    if (again(process, call, Cause::partition_inactive, {request.made})) return;
    return report(process, call, Cause::partition_inactive, "the request is not started",
                  {made_place(process, request)});
  }

  const Event enter = call.enter();
  const auto check = [&](std::int64_t partition) {
    if (partition < 0 || partition >= request.partitions)
      out_of_range(process, call, request, partition);
    else if (static_cast<std::size_t>(partition) < request.ready.size() &&
             request.ready[static_cast<std::size_t>(partition)])
      ready_twice(process, call, request, partition,
                  "was already marked ready since the last start");
    return !call.poisoned;
  };
  const int param = call.info().first(Kind::partition, Dir::in);
  if (call.info().params[static_cast<std::size_t>(param)].is_array()) {
    const ArrayView partitions = enter.array(param);
    std::vector<bool> listed(static_cast<std::size_t>(request.partitions));
    for (std::uint64_t i = 0; i < partitions.size() && check(partitions[i]); ++i) {
      const auto partition = static_cast<std::size_t>(partitions[i]);
      if (listed[partition])
        return ready_twice(process, call, request, partitions[i], "is listed twice");
      listed[partition] = true;
    }
    return;
  }
  const std::int64_t low = enter.value(param);
  const std::int64_t high = call.proc() == Proc::pready_range ? enter.value(param + 1) : low;
  for (std::int64_t i = low; i <= high && check(i); ++i) continue;
}

void RequestUse::parrived(Process& process, Call& call, const Request& request) {
  if (request.kind != RequestKind::partitioned_recv)
    return not_one(process, call, Cause::partition_kind, request, "a partitioned receive");
  const std::int64_t partition = call.enter().value(call.info().first(Kind::partition, Dir::in));
  if (partition < 0 || partition >= request.partitions)
    out_of_range(process, call, request, partition);
}

void RequestUse::grequest_complete(Process& process, Call& call, const Request& request) {
  if (request.kind != RequestKind::generalized)
    return not_one(process, call, Cause::grequest_kind, request, "a generalized one");
  if (request.state != RequestState::complete ||
      again(process, call, Cause::grequest_twice, {request.done, request.made}))
    return;
  report(process, call, Cause::grequest_twice, "the request is already complete",
         {site_place(process, request.done, Proc::grequest_complete, "completed here"),
          made_place(process, request)});
}

void RequestUse::receive_message(Process& process, Call& call, int param) {
  const std::uint64_t raw = call.enter().handle(param);
  if (process.messages.find(raw) != nullptr ||
      process.constant_of(Kind::message, raw) == Constant::message_no_proc)
    return;
  if (process.is_null(Kind::message, raw)) {
    if (again(process, call, Cause::message_null)) return;
    return report(process, call, Cause::message_null,
                  "message is MPI_MESSAGE_NULL: already received, or never matched");
  }
  if (const Message* stale = process.messages.stale(raw)) {
    if (stale->poisoned || again(process, call, Cause::message_stale, {stale->freed, stale->made}))
      return;
    return report(process, call, Cause::message_stale, "message was already received",
                  {freed_place(process, *stale, "received here"),
                   made_place(process, *stale, "matched here")});
  }
  if (raw == 0 && process.library == wire::Library::openmpi) {
    if (again(process, call, Cause::message_invalid)) return;
    return report(process, call, Cause::message_invalid,
                  "message is not a valid handle: never made by a probe");
  }
  call.unseen |= std::uint64_t{1} << (param & 63);
}

// MPI-4.1 4.2.1: partitioned receives take no wildcards.
void RequestUse::precv_init(Process& process, Call& call) {
  const Event enter = call.enter();
  const int source = call.info().first(Kind::rank, Dir::in),
            tag = call.info().first(Kind::tag, Dir::in);
  if (enter.value(source) == wire::kAnySource && !again(process, call, Cause::partition_wildcard))
    report(process, call, Cause::partition_wildcard, "source is MPI_ANY_SOURCE");
  if (enter.value(tag) == wire::kAnyTag && !again(process, call, Cause::partition_wildcard))
    report(process, call, Cause::partition_wildcard, "tag is MPI_ANY_TAG");
}

}  // namespace vouch
