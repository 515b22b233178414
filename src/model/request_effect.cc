// Life of requests [U61].

#include <algorithm>
#include <array>

#include "model/completion.h"
#include "model/effect.h"

namespace vouch {
namespace {

// What a constructor of requests says about them, and where in its records: words of the leave
// record for what it returns, else of the enter record.
struct Plan {
  std::int8_t request = -1, variable = -1;  // the handle, and the address it is written to
  std::int8_t on = -1, peer = -1, tag = -1, partitions = -1, makes = -1;
  RequestKind kind = RequestKind::other;
  bool persistent = false;
};

RequestKind kind_of(const ProcInfo& about) {
  const bool sends = about.send.peer >= 0;
  const bool receives = about.recv.peer >= 0 || about.role == CallRole::mrecv;
  switch (about.family) {
    case Family::p2p:
      return sends == receives ? RequestKind::other : sends ? RequestKind::send : RequestKind::recv;
    case Family::partitioned:
      return sends ? RequestKind::partitioned_send : RequestKind::partitioned_recv;
    case Family::collective:
    case Family::neighbour:
      return RequestKind::collective;
    case Family::rma:
      return RequestKind::rma;
    case Family::io:
      return RequestKind::io;
    case Family::comm:
      return RequestKind::comm_idup;
    default:
      return about.base == Proc::grequest_start ? RequestKind::generalized : RequestKind::other;
  }
}

const Plan& plan_of(Proc proc) {
  static const auto plans = [] {
    std::array<Plan, static_cast<std::size_t>(Proc::count_)> all;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const ProcInfo& about = info(static_cast<Proc>(i));
      Plan& p = all[i];
      const auto given = [&](int param) {
        if (param < 0) return std::int8_t{-1};
        const Param& its = about.params[static_cast<std::size_t>(param)];
        return static_cast<std::int8_t>(its.enter_word + (its.shape == Shape::pointer_inout));
      };
      const auto returned = [&](int param) {
        return param < 0 ? std::int8_t{-1}
                         : about.params[static_cast<std::size_t>(param)].leave_word;
      };
      const int request = about.first(Kind::request, Dir::out);
      p.request = returned(request);
      p.variable = given(request);
      p.on = given(about.at.object);
      p.peer = given(std::max(about.send.peer, about.recv.peer));
      // MPI_Isendrecv has two: none stands for it.
      if (about.send.peer < 0 || about.recv.peer < 0)
        p.tag = given(std::max(about.send.tag, about.recv.tag));
      p.partitions = given(about.at.partitions);
      p.makes = returned(about.first(Kind::comm, Dir::out));
      p.kind = kind_of(about);
      p.persistent = about.has(kPersistent);
    }
    return all;
  }();
  return plans[static_cast<std::size_t>(proc)];
}

// Another request under a handle that is live already: see Request::twins.
Request& with_twin(Table<Request>& requests, Request& live) {
  std::vector<Request> twins = std::move(live.twins);
  live.twins.clear();
  twins.push_back(std::move(live));
  Request& q = requests.insert(twins.back().raw);
  q.twins = std::move(twins);
  return q;
}

}  // namespace

// Birth
void make_request(const Returned& r) {
  if (r.leave == nullptr || !r.ok()) return;
  const Plan& plan = plan_of(r.call.proc());
  const std::uint64_t raw = r.leave->word(plan.request);
  if (r.process.is_null(Kind::request, raw)) return;
  Request* live = r.process.requests.find(raw);
  Request& q =
      live == nullptr ? r.process.requests.insert(raw) : with_twin(r.process.requests, *live);
  q.made = q.started = r.call.site();
  q.made_by = r.call.proc();
  q.poisoned = r.call.poisoned;
  if (r.call.broken) q.blamed = r.call.site();
  q.kind = plan.kind;
  q.persistent = plan.persistent;
  q.state = plan.persistent ? RequestState::inactive : RequestState::active;
  q.ever_started = !plan.persistent;
  if (!r.call.fortran()) q.variable = r.enter.word(plan.variable);
  q.call = r.call.seq();
  (q.persistent ? q.pattern : q.operation) = operation_key(r.call.seq());
  const auto said = [&](std::int8_t word) { return static_cast<std::int64_t>(r.enter.word(word)); };
  if (plan.on >= 0) q.comm = r.enter.word(plan.on);
  if (plan.peer >= 0) q.peer = said(plan.peer);
  if (plan.tag >= 0) q.tag = said(plan.tag);
  if (plan.partitions >= 0) q.partitions = said(plan.partitions);
  if (plan.makes >= 0) q.makes = r.leave->word(plan.makes);
}

// Whether calls of it are given requests; found once per procedure.
static bool takes_requests(Proc proc) {
  static const auto known = [] {
    std::array<bool, static_cast<std::size_t>(Proc::count_)> all{};
    for (std::size_t i = 1; i < all.size(); ++i) {
      for (const Param& p : info(static_cast<Proc>(i)).params)
        all[i] = all[i] || (p.kind == Kind::request && p.dir != Dir::out);
    }
    return all;
  }();
  return known[static_cast<std::size_t>(proc)];
}

void spoil_requests(Process& process, const Call& call, bool failed) {
  if (!takes_requests(call.proc())) return;
  // What the library refused because of the finding has left them as nobody knows.
  const bool doubtful = call.harms.has(Harm::requests) || (call.broken && failed);
  const Event enter = call.enter();
  const auto spoil = [&](std::uint64_t raw) {
    Request* request = process.requests.find(raw);
    if (request == nullptr) return;
    request->poisoned = request->poisoned || doubtful;
    if (call.broken && request->blamed.value == 0) request->blamed = call.site();
  };
  for (int i = 0; i < static_cast<int>(call.info().params.size()); ++i) {
    const Param& p = call.info().params[static_cast<std::size_t>(i)];
    if (p.kind != Kind::request || p.dir == Dir::out) continue;
    if (!p.is_array()) {
      spoil(enter.handle(i));
      continue;
    }
    const ArrayView handles = enter.array(i);
    for (std::uint64_t k = 0; k < handles.size(); ++k)
      spoil(static_cast<std::uint64_t>(handles[k]));
  }
}

namespace {

// Death and rest
void remove(const Returned& r, Request& which) {
  // A twin has none itself.
  Request& newest = which.twins.empty() ? *r.process.requests.find(which.raw) : which;
  if (newest.twins.empty()) {
    r.process.requests.erase(newest.raw, r.call.site(), r.call.proc());
  } else if (&which != &newest) {
    if (&which != &newest.twins.back()) which = std::move(newest.twins.back());
    newest.twins.pop_back();
  } else {
    std::vector<Request> twins = std::move(newest.twins);
    const std::uint32_t generation = newest.generation;
    newest = std::move(twins.back());
    twins.pop_back();
    newest.twins = std::move(twins);
    newest.generation = generation;
  }
}

// The request that the call's parameter, or element `i` of it, means, to be changed.
Request* named(const Returned& r, int param) {
  return const_cast<Request*>(named_request(r.process, r.call, param).request);
}
Request* named(const Returned& r, int param, std::uint64_t i) {
  return const_cast<Request*>(named_request(r.process, r.call, param, i).request);
}

void complete(const Returned& r, Request* request) {
  if (request == nullptr) return;
  if (request->kind == RequestKind::comm_idup) {
    ++r.process.changes;
    if (Communicator* c = r.process.comms.find(request->makes)) c->ready = true;
  }
  if (request->persistent) {
    request->state = RequestState::inactive;
    request->cancelled = false;
  } else {
    remove(r, *request);
  }
}

// MPI_UNDEFINED where an index or a number of them is expected: none of these requests is active.
// MPICH says so of started ones of MPI_PROC_NULL.
void none_is_active(const Returned& r, const ArrayView& requests) {
  for (std::uint64_t i = 0; i < requests.size(); ++i) {
    Request* q = r.process.requests.find(static_cast<std::uint64_t>(requests[i]));
    if (q != nullptr && q->persistent) q->state = RequestState::inactive;
  }
}

void complete_one(const Returned& r) {  // MPI_Wait, MPI_Test
  const CallParams& at = r.info().at;
  if (r.leave != nullptr) {
    each_completed(r.process, r.call, *r.leave, [&](std::uint64_t, const wire::Status*, int) {
      complete(r, named(r, at.request));
    });
  } else if (at.flag < 0) {
    complete(r, named(r, at.request));
  }
}

void complete_many(const Returned& r) {
  if (r.leave == nullptr) return;
  const CallParams& at = r.info().at;
  if (at.flag >= 0 && r.leave->result(at.flag) == 0) return;
  const int told = at.outcount >= 0 ? at.outcount : at.index;
  if (r.ok() && told >= 0 && r.leave->result(told) < 0)
    return none_is_active(r, r.enter.array(at.request));
  const NamedRequests all(r.process, r.call, at.request);
  each_completed(r.process, r.call, *r.leave, [&](std::uint64_t i, const wire::Status*, int) {
    complete(r, const_cast<Request*>(all[i].request));
  });
}

template <typename F>
void each_started(const Returned& r, F&& f) {
  const int p = r.info().at.request;
  const bool many = r.info().params[static_cast<std::size_t>(p)].is_array();
  const std::uint64_t n = many ? r.enter.array(p).size() : 1;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (Request* q = named(r, p, i)) f(*q, static_cast<std::uint32_t>(i));
  }
}

void start_failed(const Returned& r) {
  if (r.ok()) return;
  each_started(r, [&](Request& q, std::uint32_t) {
    if (q.persistent && q.call == r.call.seq()) q.state = RequestState::inactive;
  });
}

void cancel(const Returned& r) {
  Request* q = r.ok() ? named(r, r.info().at.request) : nullptr;
  if (q != nullptr) q->cancelled = true;
}

void request_free(const Returned& r) {
  Request* q = r.ok() ? named(r, r.info().at.request) : nullptr;
  if (q != nullptr) remove(r, *q);
}

void receive_into_request(const Returned& r) {  // MPI_Imrecv
  make_request(r);
  const int p = r.info().at.message;
  const bool taken =
      r.leave == nullptr ||
      r.process.is_null(Kind::message, static_cast<std::uint64_t>(r.leave->result(p)));
  if (r.ok() || taken) died(r, r.process.messages, r.enter.handle(p));
}

}  // namespace

void begin_grequest_complete(const Returned& r) {
  Request* q = r.process.requests.find(r.enter.handle(r.info().at.request));
  if (q == nullptr)  // freed, and complete only now
    q = const_cast<Request*>(r.process.requests.stale(r.enter.handle(r.info().at.request)));
  if (q == nullptr || q->kind != RequestKind::generalized) return;
  q->state = RequestState::complete;
  q->done = r.call.site();
}

void begin_pready(const Returned& r) {
  Request* q = r.process.requests.find(r.enter.handle(r.info().at.request));
  if (q == nullptr) return;
  each_partition(r.call, q->ready.size(), [&](std::size_t i) { q->ready[i] = true; });
}

void begin_start(const Returned& r) {
  each_started(r, [&](Request& q, std::uint32_t place) {
    if (q.state == RequestState::active) return;
    q.state = RequestState::active;
    q.ever_started = true;
    q.cancelled = false;
    q.started = r.call.site();
    q.call = r.call.seq();
    q.operation = operation_key(r.call.seq(), place + 1);
    if (q.kind == RequestKind::partitioned_send && q.partitions > 0) {
      q.ready.assign(static_cast<std::size_t>(q.partitions), false);
    }
  });
}

Effect request_effect(Proc proc) {
  const ProcInfo& about = info(proc);
  switch (about.role) {
    case CallRole::start:
      return start_failed;
    case CallRole::cancel:
      return cancel;
    case CallRole::free:
      return request_free;
    case CallRole::complete:
      return about.params[static_cast<std::size_t>(about.at.request)].is_array() ? complete_many
                                                                                 : complete_one;
    default:
      break;
  }
  if (about.family == Family::comm) return nullptr;  // MPI_Comm_idup: see comm_effect.cc
  if (about.first(Kind::request, Dir::out) < 0) return nullptr;
  return about.role == CallRole::mrecv ? receive_into_request : make_request;
}

}  // namespace vouch
