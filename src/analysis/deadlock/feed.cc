#include "analysis/deadlock/feed.h"

#include <algorithm>

#include "model/effect.h"
#include "model/named_request.h"
#include "report/finding.h"

namespace vouch {
namespace {

constexpr std::uint64_t kPartitioned = 2, kStarts = 3;  // salts

}  // namespace

WaitFeed::WaitFeed(World& world, wait::Node& node) : world_(world), node_(node) {}

// The process, if this call of it is to be followed.
inline WaitFeed::Local* WaitFeed::local(const Process& process, const Call& call) {
  if (process.index >= locals_.size()) [[unlikely]]
    locals_.resize(process.index + 1);
  Local& mine = locals_[process.index];
  if (mine.ignored || process.stranger() || process.rank.value < 0) return nullptr;
  mine.rank = process.rank.value;
  // Within a callback of another call.
  if (process.threads[static_cast<std::size_t>(call.thread())].depth > 1) return nullptr;
  mine.strand = strand_of(process, mine, call.thread());
  // Whatever it does, its other threads may be up and about.
  if (mine.watched ? !mine.outside : counts_threads(process)) [[unlikely]]
    rests(process, false);
  return &mine;
}

std::uint32_t WaitFeed::strand_of(const Process& process, Local& mine, int thread) {
  if (process.thread_level != Constant::thread_multiple) return 0;
  const auto number = static_cast<std::size_t>(thread);
  if (number >= mine.strands.size()) [[unlikely]]
    mine.strands.resize(number + 1);
  std::uint32_t& strand = mine.strands[number];
  if (strand == 0) [[unlikely]]
    strand = ++mine.strand_count;
  return strand - 1;
}

// At a lower level than these only one thread may ever call MPI (MPI-4.1 11.6). What level a
// session has is not known.
bool WaitFeed::counts_threads(const Process& process) {
  if (process.stranger() || process.rank.value < 0 || process.phase >= Phase::finalizing)
    return false;
  return process.threads.size() > 1 || process.thread_level == Constant::thread_multiple ||
         process.thread_level == Constant::thread_serialized || process.live_sessions > 0;
}

void WaitFeed::rests(const Process& process, bool rests, bool followed) {
  if (process.index >= locals_.size()) return;
  Local& mine = locals_[process.index];
  if (mine.rank < 0 || (rests && !mine.watched && !counts_threads(process))) return;
  mine.watched = true;
  mine.outside = !rests;
  node_.set_outside(mine.rank, !rests || !followed);
}

bool WaitFeed::runs_outside(const Process& process) const {
  return process.index < locals_.size() && locals_[process.index].watched &&
         locals_[process.index].outside;
}

bool WaitFeed::inside(const Process& process, const Thread& thread) {
  if (process.index >= locals_.size() || thread.depth != 1) return false;
  Local& mine = locals_[process.index];
  // Who waits for a lock is told apart from the engine (epochs.cc).
  if (mine.strand_count <= 1 && mine.locking.seq != 0 && mine.locking.seq == thread.calls[0].seq())
    return true;
  return mine.rank >= 0 && !mine.ignored &&
         node_.inside(wait::Caller{mine.rank, strand_of(process, mine, thread.number)});
}

wait::Label WaitFeed::label_of(const Call& call) {
  return {static_cast<std::uint16_t>(call.proc()), call.site()};
}

WaitFeed::CommRef WaitFeed::comm_of(const Process& process, std::uint64_t raw) {
  CommRef ref;
  const Communicator* c = process.comms.find(raw);
  if (c == nullptr || c->rank < 0 || c->id == 0 || c->members == nullptr || c->leads_outside() ||
      !c->members->all_known() || c->members->unseen)
    return ref;
  ref.id = c->id;
  ref.members = c->members;
  ref.inter = c->inter();
  ref.constant = c->constant;
  ref.made = c->made;
  return ref;
}

const WaitFeed::CommRef& WaitFeed::comm_of(const Process& process, Local& mine, std::uint64_t raw) {
  auto& seen = mine.seen;
  if (seen.raw != raw || seen.changes != process.changes) [[unlikely]]
    seen = {raw, process.changes, comm_of(process, raw)};
  return seen.ref;
}

std::string WaitFeed::name_of(wait::CommId id) const {
  const auto found = names_.find(id);
  if (found == names_.end()) return {};
  if (found->second.constant != Constant::none) return vouch::info(found->second.constant).name;
  return "the communicator made at " + mention(found->second.made);
}

WaitFeed::Target WaitFeed::target(const Process& process, const Event& enter,
                                  const Side& side) const {
  Target t;
  if (side.peer < 0) return t;
  t.peer = enter.value(side.peer);
  t.tag = enter.value(side.tag);
  if (t.peer == wire::kProcNull) return t;
  const bool any = t.peer == wire::kAnySource, any_tag = t.tag == wire::kAnyTag;
  if ((!any && (t.peer < 0 || t.peer > INT32_MAX)) ||
      (!any_tag && (t.tag < 0 || t.tag > INT32_MAX)))
    return t;
  t.there = true;
  if (side.count >= 0 && side.type >= 0) {
    const Datatype* type = process.datatypes.find(enter.handle(side.type));
    const std::int64_t count = enter.value(side.count);
    if (type != nullptr && count > 0)
      t.bytes = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type->size());
  }
  return t;
}

WaitFeed::Action WaitFeed::message(const Process& process, const Call& call, const Plan& p,
                                   Local& mine) {
  Action a;
  const Event enter = call.enter();
  a.label = label_of(call);
  a.key = call_key(call.seq());
  a.comm = comm_of(process, mine, enter.handle(p.object));
  if (p.sends) a.send = target(process, enter, p.send);
  if (p.receives) a.recv = target(process, enter, p.recv);
  a.blocks = p.blocks;
  a.held = !p.blocks;
  a.standard = p.standard;
  a.synchronous = p.synchronous;
  return a;
}

// Events ------------------------------------------------------------------------------
void WaitFeed::enter(Process& process, Call& call) {
  const Plan& p = plan(call.proc());
  Local* mine = local(process, call);
  if (mine == nullptr) return;
  if (mine->inside >= 0 && mine->inside != call.thread() &&
      process.thread_level != Constant::thread_multiple) {
    // Two calls at once have no order that could be followed.
    return give_up(*mine);
  }
  if (p.blocks) mine->inside = call.thread();
  if (!asks(call.proc())) stop_polling(*mine);
  switch (p.what) {
    case Do::post:
      if (call.proc() == Proc::bsend) return;  // it is local
      if (p.blocks && !call.poisoned) act(*mine, message(process, call, p, *mine));
      return;
    case Do::probe:
    case Do::probe_message:
      if (p.blocks && !call.poisoned) {
        Action a = message(process, call, p, *mine);
        if (p.what == Do::probe) a.what = Action::What::probe;
        act(*mine, a);
      }
      return;
    case Do::complete:
      if (p.blocks && !call.poisoned) enter_completion(process, call, p, *mine);
      return;
    case Do::start:
      if (!call.poisoned) start(process, call, p, *mine);
      return;
    case Do::ready:
      return ready(process, call, p, *mine);
    case Do::cancel:
      // Its wait returns, whether it comes in time or not.
      each_request(process, call, p, [&](const Request& r, std::uint64_t) {
        simple(*mine, Action::What::excuse, key_of(*mine, r));
        // Whether a buffered message is still to be received nobody knows.
        if (is_buffered(info(r.made_by))) mine->buffered.clear();
      });
      return;
    case Do::free:
      each_request(process, call, p, [&](const Request& r, std::uint64_t) {
        simple(*mine, Action::What::release, key_of(*mine, r));
        if (r.persistent) mine->persistent.erase(r.raw);
      });
      return;
    case Do::collective:
      return enter_collective(process, call, p, *mine);
    case Do::two_groups:
      return enter_two_groups(process, call, p, *mine);
    case Do::group_collective:
      return enter_group(process, call, p, *mine);
    case Do::finalize: {
      Action a;
      a.what = Action::What::finalize;
      a.label = label_of(call);
      return act(*mine, a);
    }
    case Do::detach:
    case Do::exposure:
    case Do::access:
    case Do::lock:
      return enter_other(process, call, p, *mine);
    case Do::nothing:
    case Do::ask:
    case Do::receive_message:
      return;
  }
}

void WaitFeed::stop_polling(Local& mine) {
  if (!mine.polling) return;
  mine.polling = false;
  node_.polls_no_more(mine.rank);
}

bool WaitFeed::asked_in_vain(const Call& call, const Event& leave) const {
  const Plan& p = plan(call.proc());
  if (!asks(call.proc()) || leave.error_class() != 0) return false;
  if (!leave.has_words()) return true;
  // MPI_Testsome says how many; MPI_UNDEFINED, that there was nothing to ask for, is negative.
  return p.flag >= 0 ? leave.result(p.flag) == 0 : leave.result(p.outcount) == 0;
}

void WaitFeed::leave(Process& process, Call& call, const Event& leave) {
  const Plan& p = plan(call.proc());
  Local* mine = local(process, call);
  if (mine == nullptr) return;
  if (asks(call.proc()) && !asked_in_vain(call, leave)) stop_polling(*mine);
  if (mine->inside == call.thread()) mine->inside = -1;
  switch (p.what) {
    case Do::post:
      return leave_message(process, call, p, leave, *mine);
    case Do::probe:
    case Do::probe_message:
      return leave_probe(process, call, p, leave, *mine);
    case Do::complete:
      return leave_completion(process, call, p, leave, *mine);
    case Do::collective:
    case Do::two_groups:
    case Do::group_collective:
      return leave_collective(process, call, p, leave, *mine);
    case Do::detach:
      return simple(*mine, Action::What::returned, call_key(call.seq()));
    case Do::exposure:
    case Do::access:
    case Do::lock:
      return leave_other(process, call, p, leave, *mine);
    case Do::ask:
      if (asked_in_vain(call, leave)) ask(*mine, call, {});
      return;
    default:
      return;
  }
}

void WaitFeed::end(const Process& process) {
  if (process.index >= locals_.size()) return;
  Local& mine = locals_[process.index];
  if (mine.rank >= 0) node_.end(mine.rank);
  waiting_ -= mine.waiting.size();
  mine.waiting.clear();
}

// Messages ----------------------------------------------------------------------------
void WaitFeed::leave_message(Process& process, Call& call, const Plan& p, const Event& leave,
                             Local& mine) {
  const int error = leave.error_class();
  const bool took = process.took(error);
  if (p.persistent) {
    if (error == 0) keep_pattern(process, call, p, leave, mine);
    return;
  }
  const std::uint64_t key = call_key(call.seq());
  if (call.proc() == Proc::bsend && !call.poisoned) {
    if (error == 0) send_buffered(process, call, p, mine);
    return;
  }
  // A poisoned one that the library took after all, and what makes a request.
  if (!p.blocks || call.poisoned) {
    if (error != 0) return;
    Action a = message(process, call, p, mine);
    a.blocks = false;
    a.held = !p.blocks;
    if (call.poisoned) a.synchronous = false;
    if (is_buffered(call.info()) && !call.poisoned) buffer(a);
    const CommRef comm = a.comm;
    act(mine, a);
    for (const Local::Decision& d : mine.decisions) {
      if (d.call != call.seq()) continue;
      Action decision;
      decision.what = Action::What::decide;
      decision.key = key;
      decision.comm = comm;
      decision.recv = {true, d.source, d.tag, 0};
      act(mine, decision);
    }
    mine.decisions.clear();
    if (!p.blocks) return;
  }
  if (!took) return simple(mine, Action::What::withdraw, key);
  if (p.receives && p.status >= 0 && leave.has_words())
    resolve(mine, key, leave.result_status(p.status));
  returned(mine, key, call, p.sends);
}

// Of two threads that ask for the same message, or send with one envelope, only the library knows
// who was first. So one may have returned that by our count has to wait, and the other is past.
// What was received has come; whether a send would have waited is asked only where its order is
// known.
void WaitFeed::returned(Local& mine, std::uint64_t key, const Call& call, bool sends) {
  if (call.unordered || (mine.strand_count > 1 && !sends)) simple(mine, Action::What::excuse, key);
  simple(mine, Action::What::returned, key);
}

void WaitFeed::leave_probe(Process& process, Call& call, const Plan& p, const Event& leave,
                           Local& mine) {
  const bool seen =
      leave.error_class() == 0 && (p.flag < 0 || (leave.has_words() && leave.result(p.flag) != 0));
  const std::uint64_t key = call_key(call.seq());
  if (mine.waits == call.seq()) {
    mine.waits = 0;
    // The schedule may have left the tag to the message.
    if (seen && leave.has_words()) resolve(mine, key, leave.result_status(p.status));
    simple(mine, seen ? Action::What::returned : Action::What::withdraw, key);
  }
  if (!seen) {
    if (p.blocks) return simple(mine, Action::What::withdraw, key);
    if (leave.error_class() != 0 || call.poisoned) return;
    Action a = message(process, call, p, mine);
    a.what = Action::What::polls_message;
    return act(mine, a);
  }
  if (p.what == Do::probe_message && (!p.blocks || call.poisoned)) {
    Action a = message(process, call, p, mine);
    a.blocks = a.held = false;
    act(mine, a);
  } else if (!p.blocks || call.poisoned) {
    return;  // it saw a message and left it there
  }
  if (leave.has_words()) resolve(mine, key, leave.result_status(p.status));
  returned(mine, key, call, false);
}

// Requests ----------------------------------------------------------------------------
std::uint64_t WaitFeed::key_of(const Local& mine, const Request& r) {
  if (!r.persistent) return call_key(r.call);
  const auto found = mine.persistent.find(r.raw);
  return found == mine.persistent.end() ? 0 : found->second.key;
}

const Request* WaitFeed::request_at(Process& process, const Call& call, const Plan& p,
                                    std::uint64_t i) {
  return named_request(process, call, p.requests >= 0 ? p.requests : p.request, i).request;
}

bool WaitFeed::certain(const Process& process, const Call& call, const Plan& p, std::uint64_t i) {
  return named_request(process, call, p.requests >= 0 ? p.requests : p.request, i).certain;
}

template <typename F>
void WaitFeed::each_request(Process& process, const Call& call, const Plan& p, F&& f) {
  const std::uint64_t n = p.requests < 0 ? 1 : call.enter().array(p.requests).size();
  for (std::uint64_t i = 0; i < n; ++i) {
    if (const Request* r = request_at(process, call, p, i)) f(*r, i);
  }
}

void WaitFeed::enter_completion(Process& process, Call& call, const Plan& p, Local& mine) {
  keys_.clear();
  bool unknown = false;
  each_request(process, call, p, [&](const Request& r, std::uint64_t i) {
    if (r.state != RequestState::active) return;
    const std::uint64_t key = key_of(mine, r);
    // Perhaps it means another one that has the same handle.
    const bool followed = key != 0 && !r.poisoned && certain(process, call, p, i);
    if (followed) keys_.push_back(key);
    unknown = unknown || !followed;
  });
  // One of those that cannot be followed may be what it waits for.
  if (keys_.empty() || (unknown && !p.all)) return;
  Action a;
  a.what = Action::What::completion;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  a.all = p.all;
  if (mine.waiting.empty()) return apply_completion(mine, a, keys_);
  act(mine, a, keys_);
}

void WaitFeed::completed(Local& mine, const Request& r, const wire::Status* status) {
  const std::uint64_t key = key_of(mine, r);
  if (key == 0) return;
  if (status != nullptr && status->cancelled()) {
    simple(mine, Action::What::withdraw, key);
  } else if (status != nullptr && (r.kind == RequestKind::recv || r.kind == RequestKind::other ||
                                   r.kind == RequestKind::partitioned_recv)) {
    resolve(mine, key, *status);
  }
  simple(mine, Action::What::release, key);
}

void WaitFeed::leave_completion(Process& process, Call& call, const Plan& p, const Event& leave,
                                Local& mine) {
  const bool told = leave.has_words();
  const bool flagged = p.flag < 0 ? !asked_in_vain(call, leave) : told && leave.result(p.flag) != 0;
  if (mine.waits == call.seq()) {
    mine.waits = 0;
    simple(mine, Action::What::returned, call_key(call.seq()));
  }
  if (!flagged) {
    if (call.poisoned || leave.error_class() != 0) return;
    Action a;
    a.what = Action::What::polls;
    a.label = label_of(call);
    a.all = p.all;
    keys_.clear();
    each_request(process, call, p, [&](const Request& r, std::uint64_t) {
      const std::uint64_t key =
          r.state == RequestState::active && !r.poisoned ? key_of(mine, r) : 0;
      if (key != 0) keys_.push_back(key);
    });
    act(mine, a, keys_);
    return;
  }
  bool sends = false;
  const auto complete = [&](const Request& r, const wire::Status* status) {
    sends = sends || r.kind != RequestKind::recv;
    completed(mine, r, status);
  };
  const auto one = [&](std::int64_t which, const wire::Status* status) {
    const Request* r =
        which < 0 ? nullptr : request_at(process, call, p, static_cast<std::uint64_t>(which));
    if (r != nullptr && r->state == RequestState::active) complete(*r, status);
  };
  if (p.requests < 0) {
    wire::Status status{};
    if (told && p.status >= 0) status = leave.result_status(p.status);
    one(0, told && p.status >= 0 ? &status : nullptr);
  } else if (p.index >= 0) {
    if (told) {
      const wire::Status status = leave.result_status(p.status);
      one(leave.result(p.index), &status);
    }
  } else if (p.indices >= 0) {
    const ArrayView indices = told ? leave.result_array(p.indices) : ArrayView();
    const std::int64_t n = told ? leave.result(p.outcount) : 0;
    const ArrayView statuses = told ? leave.result_array(p.statuses) : ArrayView();
    for (std::uint64_t k = 0; k < indices.size() && static_cast<std::int64_t>(k) < n; ++k) {
      wire::Status status{};
      const bool has = k < statuses.size();
      if (has) status = statuses.status(k);
      one(indices[k], has ? &status : nullptr);
    }
  } else {
    const ArrayView statuses = told ? leave.result_array(p.statuses) : ArrayView();
    each_request(process, call, p, [&](const Request& r, std::uint64_t i) {
      if (r.state != RequestState::active) return;
      wire::Status status{};
      const bool has = i < statuses.size();
      if (has) status = statuses.status(i);
      complete(r, has ? &status : nullptr);
    });
  }
  if (p.blocks) returned(mine, call_key(call.seq()), call, sends);
}

void WaitFeed::keep_pattern(Process& process, Call& call, const Plan& p, const Event& leave,
                            Local& mine) {
  if (!leave.has_words() || p.request < 0) return;
  const Action a = message(process, call, p, mine);
  Started s;
  s.comm = a.comm;
  s.send = a.send;
  s.recv = a.recv;
  s.standard = p.standard;
  s.synchronous = p.synchronous;
  s.buffered = is_buffered(call.info());
  s.label = a.label;
  if (call.info().family == Family::partitioned) {
    // MPI-4.1 4.2.1: the n-th send with an envelope meets the n-th receive, whatever is started
    // first.
    const std::uint64_t envelope =
        mix(mix(s.comm.id, static_cast<std::uint64_t>(p.sends ? s.send.peer : s.recv.peer)),
            static_cast<std::uint64_t>(p.sends ? s.send.tag : s.recv.tag) * 2 + p.sends);
    const std::uint64_t n = mine.partitioned.next(envelope);
    s.salt = n == 0 ? kPartitioned : mix(kPartitioned, n);
    if (p.sends) s.partitions = call.enter().value(call.info().param("partitions"));
  }
  if (call.poisoned) s.comm = {};
  mine.persistent[static_cast<std::uint64_t>(leave.result(p.request))] = s;
}

void WaitFeed::start(Process& process, Call& call, const Plan& p, Local& mine) {
  each_request(process, call, p, [&](const Request& r, std::uint64_t i) {
    const auto found = mine.persistent.find(r.raw);
    if (found == mine.persistent.end() || r.state == RequestState::active) return;
    Started& s = found->second;
    s.key = call_key(call.seq()) | (i + 1);
    Action a;
    a.key = s.key;
    a.label = s.label;
    a.comm = s.comm;
    a.blocks = false;
    a.held = true;
    a.salt = s.salt;
    s.unready = 0;
    if (s.collective) {
      a.what = Action::What::collective;
      a.wave = s.next++;
    } else if (s.partitions > 0 && s.send.there) {
      a.what = Action::What::partitions;
      a.wave = s.number = ++mine.partition_starts;
      s.unready = s.partitions;
    } else {
      a.send = s.send;
      a.recv = s.recv;
      a.standard = s.standard;
      a.synchronous = s.synchronous;
      if (s.buffered) buffer(a);
    }
    act(mine, a);
  });
}

// MPI-4.1 4.2.1: a partitioned send is complete only if all its partitions were marked ready, which
// its own process does. So its request waits for a message of the process to itself, which is sent
// with the last mark, and then for the receive.
// Misses: that MPI_Wait of a thread that waits before the last mark waits for the receive, too.
void WaitFeed::ready(Process& process, Call& call, const Plan& p, Local& mine) {
  const Request* r = request_at(process, call, p, 0);
  const auto found = r == nullptr ? mine.persistent.end() : mine.persistent.find(r->raw);
  if (found == mine.persistent.end() || found->second.unready == 0) return;
  Started& s = found->second;
  const Event enter = call.enter();
  const auto mark = [&](std::int64_t i) {
    const auto partition = static_cast<std::size_t>(i);
    if (i >= 0 && partition < r->ready.size() && !r->ready[partition]) --s.unready;
  };
  const int first = call.info().first(Kind::partition, Dir::in);
  if (call.poisoned) {  // which ones it marks has no meaning: nobody shall seem to wait for them
    s.unready = 0;
  } else if (call.info().params[static_cast<std::size_t>(first)].is_array()) {
    const ArrayView list = enter.array(first);
    for (std::uint64_t i = 0; i < list.size(); ++i) mark(list[i]);
  } else {
    const std::int64_t low = enter.value(first);
    const std::int64_t high = call.proc() == Proc::pready_range ? enter.value(first + 1) : low;
    for (std::int64_t i = low; i <= high; ++i) mark(i);
  }
  if (s.unready > 0) return;
  s.unready = 0;
  Action a;
  a.what = Action::What::ready;
  a.key = s.key;
  a.label = s.label;
  a.comm = s.comm;
  a.send = s.send;
  a.salt = s.salt;
  a.wave = s.number;
  a.blocks = false;
  a.held = true;
  a.standard = s.standard;
  act(mine, a);
}

const Request* WaitFeed::unready(const Process& process, const wait::Op& op) {
  if (process.index >= locals_.size() || op.kind != wait::Kind::recv) return nullptr;
  Local& mine = locals_[process.index];
  for (const auto& [raw, started] : mine.persistent) {
    if (started.unready == 0) continue;
    const Entry* entry = mine.entries.find(started.key);
    if (entry != nullptr && entry->recv == op.at) return process.requests.find(raw);
  }
  return nullptr;
}

// What a schedule decided -------------------------------------------------------------
void WaitFeed::decided(Process& process, int thread, const Event& meta) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if (t.depth == 0) return;
  Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
  Local* mine = local(process, call);
  if (mine == nullptr || call.poisoned) return;
  const Plan& p = plan(call.proc());
  if (static_cast<wire::DecisionKind>(meta.word(0)) == wire::DecisionKind::match) {
    decided_match(process, call, p, meta, *mine);
  } else {
    decided_pick(process, call, p, meta, *mine);
  }
}

void WaitFeed::decided_match(Process& process, Call& call, const Plan& p, const Event& meta,
                             Local& mine) {
  const auto source = static_cast<std::int64_t>(meta.word(3));
  const auto tag = static_cast<std::int64_t>(meta.word(4));
  Action a;
  a.what = Action::What::decide;
  a.recv = {true, source, tag, 0};
  if (p.what == Do::start) {
    const Request* r = request_at(process, call, p, meta.word(2));
    const auto found = r == nullptr ? mine.persistent.end() : mine.persistent.find(r->raw);
    if (found == mine.persistent.end()) return;
    a.key = found->second.key;
    a.comm = found->second.comm;
    return act(mine, a);
  }
  // What makes a request is posted when it has returned.
  if (!p.blocks && mine.waits != call.seq()) {
    mine.decisions.push_back({call.seq(), source, tag});
    return;
  }
  a.key = call_key(call.seq());
  a.comm = comm_of(process, call.enter().handle(p.object));
  act(mine, a);
}

// A call that only asks waits, and one that waits for any waits for these as well.
void WaitFeed::decided_pick(Process& process, Call& call, const Plan& p, const Event& meta,
                            Local& mine) {
  if (p.what == Do::probe || p.what == Do::probe_message) {
    Action a = message(process, call, p, mine);
    a.what = Action::What::probe;
    a.blocks = true;
    a.imposed = true;
    mine.waits = call.seq();
    return act(mine, a);
  }
  if (p.what != Do::complete) return;
  const std::uint64_t indices = meta.header().words - 2;
  Action a;
  a.what = Action::What::completion;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  keys_.clear();
  each_request(process, call, p, [&](const Request& r, std::uint64_t i) {
    if (r.state != RequestState::active || r.poisoned) return;
    const std::uint64_t* first = meta.words() + 2;
    const bool named = indices == 0 || std::find(first, first + indices, i) != first + indices;
    if (const std::uint64_t key = key_of(mine, r); named && key != 0) keys_.push_back(key);
  });
  a.imposed = true;
  mine.waits = call.seq();
  if (!keys_.empty()) act(mine, a, keys_);
}

// Collectives -------------------------------------------------------------------------
WaitFeed::Order* WaitFeed::order(Process& process, const Call& call, const Plan& p, Local& mine) {
  const std::uint64_t raw = call.enter().handle(p.object);
  if (p.object_kind != Kind::comm) {
    auto& table = p.object_kind == Kind::win ? mine.windows : mine.files;
    const auto found = table.find(raw);
    return found == table.end() ? nullptr : &found->second;
  }
  const Communicator* c = process.comms.find(raw);
  if (c == nullptr) return nullptr;
  Order& o = mine.comms[raw];
  if (o.comm.members == nullptr || o.generation != c->generation) {
    o = {};
    o.generation = c->generation;
    o.comm = comm_of(process, raw);
  }
  return o.comm.members == nullptr ? nullptr : &o;
}

void WaitFeed::enter_collective(Process& process, Call& call, const Plan& p, Local& mine) {
  Order* o = order(process, call, p, mine);
  if (o == nullptr) return;
  const std::uint64_t wave = o->next++;
  const std::uint64_t raw = call.enter().handle(p.object);
  Action a;
  a.what = Action::What::collective;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  a.comm = o->comm;
  a.salt = o->salt;
  a.wave = wave;
  a.blocks = p.blocks && !call.poisoned;
  a.held = !p.blocks;
  a.loose = p.loose;
  if (call.info().has(kDestructor)) {
    (p.object_kind == Kind::comm  ? mine.comms
     : p.object_kind == Kind::win ? mine.windows
                                  : mine.files)
        .erase(raw);
    if (p.object_kind == Kind::win) mine.syncs.erase(raw);
  }
  if (!p.persistent) act(mine, a);
}

void WaitFeed::leave_collective(Process&, Call& call, const Plan& p, const Event& leave,
                                Local& mine) {
  const std::uint64_t key = call_key(call.seq());
  const auto end = leave.error_class() != 0 ? Action::What::withdraw : Action::What::returned;
  if (p.what == Do::two_groups) {
    simple(mine, end, key | kLeadersPart);
    simple(mine, end, key | kBothPart);
  }
  if (leave.error_class() != 0) return simple(mine, end, key);
  if (p.blocks) simple(mine, end, key);
  if (!leave.has_words() || (!p.persistent && !p.makes_window && !p.makes_file)) return;
  const auto made_by = mine.comms.find(call.enter().handle(p.object));
  if (p.object_kind != Kind::comm || made_by == mine.comms.end()) return;
  const Order& parent = made_by->second;
  if (parent.comm.members == nullptr || parent.next == 0) return;
  if (p.persistent) {
    if (p.request < 0) return;
    Started s;
    s.comm = parent.comm;
    s.salt = mix(mix(parent.salt, parent.next), kStarts);
    s.collective = true;
    s.label = label_of(call);
    mine.persistent[static_cast<std::uint64_t>(leave.result(p.request))] = s;
    return;
  }
  const Kind kind = p.makes_window ? Kind::win : Kind::file;
  Order made;
  made.comm = parent.comm;
  made.salt = mix(mix(parent.salt, parent.next), static_cast<std::uint64_t>(kind) + 16);
  const int out = call.info().first(kind, Dir::out);
  (kind == Kind::win ? mine.windows : mine.files)[static_cast<std::uint64_t>(leave.result(out))] =
      made;
}

}  // namespace vouch
