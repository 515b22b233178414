#include "analysis/thread/conflict.h"

#include <algorithm>
#include <vector>

namespace vouch {
namespace {

// Answer the same to every thread, whatever the others do.
bool is_pure(Proc base) { return info(base).is(Trait::pure); }

// Groups, error handlers and infos are left out: libraries hand out one object to several askers.
bool may_be_freed_in_use(Kind kind) {
  return kind == Kind::comm || kind == Kind::win || kind == Kind::file || kind == Kind::datatype ||
         kind == Kind::op;
}

const Object* live(const Process& process, Kind kind, std::uint64_t raw) {
  switch (kind) {
    case Kind::comm:
      return process.comms.find(raw);
    case Kind::win:
      return process.windows.find(raw);
    case Kind::file:
      return process.files.find(raw);
    case Kind::datatype:
      return process.datatypes.find(raw);
    case Kind::op:
      return process.ops.find(raw);
    default:
      return nullptr;
  }
}

std::int8_t first_of(const ProcInfo& proc, std::initializer_list<Kind> kinds) {
  for (const Kind kind : kinds) {
    for (const Dir dir : {Dir::in, Dir::inout}) {
      if (const int i = proc.first(kind, dir); i >= 0) return static_cast<std::int8_t>(i);
    }
  }
  return -1;
}

void requests_of(const Process& process, const Call& call, const Share& share,
                 std::vector<const Request*>& found) {
  for_each_request(call, share, [&](std::uint64_t raw) {
    const Request* request = process.requests.find(raw);
    // Requests that are done at once may all have one handle.
    if (request != nullptr && request->twins.empty() && !request->poisoned)
      found.push_back(request);
  });
  std::sort(found.begin(), found.end());
}

bool uses(const Call& call, Kind kind, std::uint64_t raw) {
  const ProcInfo& proc = call.info();
  const Event enter = call.enter();
  for (int i = 0; i < static_cast<int>(proc.params.size()); ++i) {
    const Param& p = proc.params[static_cast<std::size_t>(i)];
    if (p.kind != kind || p.dir == Dir::out || p.enter_word < 0) continue;
    if (!p.is_array()) {
      if (enter.handle(i) == raw) return true;
      continue;
    }
    const ArrayView all = enter.array(i);
    for (std::uint64_t k = 0; k < all.size(); ++k) {
      if (static_cast<std::uint64_t>(all[k]) == raw) return true;
    }
  }
  return false;
}

}  // namespace

Share share_of(Proc proc) {
  const ProcInfo& about = info(proc);
  Share s;
  if (proc == Proc::none || about.has(kAnytime) || about.family == Family::tool ||
      about.family == Family::conversion || is_pure(about.base))
    return s;
  s.counts = true;
  if (about.family == Family::completion) {
    s.request = first_of(about, {Kind::request});
    s.use = s.request >= 0 ? Share::Use::completes : Share::Use::none;
    s.waits = s.request >= 0 && about.has(kBlocking);
  } else if (proc == Proc::start || proc == Proc::startall || proc == Proc::request_free) {
    s.request = first_of(about, {Kind::request});
    s.use = proc == Proc::request_free ? Share::Use::frees : Share::Use::starts;
  } else if (about.has(kDestructor)) {
    for (int i = 0; i < static_cast<int>(about.params.size()); ++i) {
      const Param& p = about.params[static_cast<std::size_t>(i)];
      if (p.dir == Dir::inout && !p.is_array() && may_be_freed_in_use(p.kind))
        s.freed = static_cast<std::int8_t>(i);
    }
  }
  if (about.has(kCollective) && proc != Proc::finalize)
    s.ordered = first_of(about, {Kind::win, Kind::file, Kind::comm});
  if ((about.family == Family::p2p || about.family == Family::probe) && !about.has(kPersistent)) {
    s.source = static_cast<std::int8_t>(about.param(Arg::source));
    s.dest = static_cast<std::int8_t>(about.param(Arg::dest));
    const int first = about.param(Arg::sendtag);
    s.sendtag = static_cast<std::int8_t>(first >= 0 ? first : about.param(Arg::tag));
    const int second = about.param(Arg::recvtag);
    s.tag = static_cast<std::int8_t>(second >= 0 ? second : about.param(Arg::tag));
    s.comm = static_cast<std::int8_t>(about.param(Arg::comm));
    s.probes = about.base == Proc::probe || about.base == Proc::iprobe;
  }
  return s;
}

const Request* shared_request(const Process& process, const Call& a, const Share& share_a,
                              const Call& b, const Share& share_b) {
  if (share_a.use == Share::Use::none || share_b.use == Share::Use::none) return nullptr;
  std::vector<const Request*> of_a, of_b;
  requests_of(process, a, share_a, of_a);
  requests_of(process, b, share_b, of_b);
  for (const Request* request : of_b) {
    if (std::binary_search(of_a.begin(), of_a.end(), request)) return request;
  }
  return nullptr;
}

const Object* freed_and_used(const Process& process, const Call& frees, const Share& share,
                             const Call& other) {
  if (share.freed < 0) return nullptr;
  const Kind kind = frees.info().params[static_cast<std::size_t>(share.freed)].kind;
  const std::uint64_t raw = frees.enter().handle(share.freed);
  const Object* object = live(process, kind, raw);
  if (object == nullptr || object->predefined() || object->refs > 1 || object->poisoned)
    return nullptr;
  return uses(other, kind, raw) ? object : nullptr;
}

bool same_order(const Process& process, const Call& a, const Share& share_a, const Call& b,
                const Share& share_b) {
  if (share_a.ordered < 0 || share_b.ordered < 0) return false;
  const Kind kind = a.info().params[static_cast<std::size_t>(share_a.ordered)].kind;
  if (b.info().params[static_cast<std::size_t>(share_b.ordered)].kind != kind) return false;
  const std::uint64_t raw = a.enter().handle(share_a.ordered);
  if (b.enter().handle(share_b.ordered) != raw) return false;
  if (kind != Kind::comm) return live(process, kind, raw) != nullptr;
  // With nobody else there is no order to agree on.
  const Communicator* comm = process.comms.find(raw);
  return comm != nullptr && (comm->size > 1 || comm->inter());
}

bool same_sends(const Call& a, const Share& share_a, const Call& b, const Share& share_b) {
  if (share_a.dest < 0 || share_b.dest < 0) return false;
  const Event of_a = a.enter(), of_b = b.enter();
  return of_a.handle(share_a.comm) == of_b.handle(share_b.comm) &&
         of_a.value(share_a.dest) == of_b.value(share_b.dest) &&
         of_a.value(share_a.dest) != wire::kProcNull &&
         of_a.value(share_a.sendtag) == of_b.value(share_b.sendtag);
}

bool same_receives(const Call& a, const Share& share_a, const Call& b, const Share& share_b) {
  if (share_a.source < 0 || share_b.source < 0) return false;
  const Event of_a = a.enter(), of_b = b.enter();
  if (of_a.handle(share_a.comm) != of_b.handle(share_b.comm)) return false;
  if (of_a.value(share_a.source) == wire::kProcNull) return false;
  const auto meet = [&](std::int8_t in_a, std::int8_t in_b, std::int64_t any) {
    const std::int64_t x = of_a.value(in_a), y = of_b.value(in_b);
    return x == y || x == any || y == any;
  };
  return meet(share_a.source, share_b.source, wire::kAnySource) &&
         meet(share_a.tag, share_b.tag, wire::kAnyTag);
}

}  // namespace vouch
