#include "analysis/deadlock/feed.h"

#include <algorithm>

#include "model/effect.h"
#include "model/named_request.h"
#include "report/finding.h"

namespace vouch {
namespace {

constexpr std::uint64_t kPartitioned = 2, kStarts = 3;  // salts

// At a lower level than these only one thread may ever call MPI (MPI-4.1 11.6). What level a
// session has is not known.
bool has_threads(const Process& process) {
  return process.threads.size() > 1 || process.thread_level == Constant::thread_multiple ||
         process.thread_level == Constant::thread_serialized || process.live_sessions > 0;
}

}  // namespace

WaitFeed::WaitFeed(World& world, wait::Node& node) : world_(world), node_(node) {}

// Calls of a generalized request that only its own process can complete. What MPICH's MPIX_ calls
// make may complete itself.
bool WaitFeed::is_generalized(Proc proc) {
  return proc == Proc::grequest_start || proc == Proc::grequest_complete;
}

bool WaitFeed::sees(Proc proc) {
  const ProcInfo& about = info(proc);
  return about.role != CallRole::none || about.has(kPoll) || is_generalized(proc);
}

// What makes a request is posted when it has returned.
ActListener::WantsActs WaitFeed::wants_acts(Proc proc) {
  const ProcInfo& about = info(proc);
  if (!sees(proc) || !ActReader::sees(about.role)) return {};
  const bool late =
      !about.has(kBlocking) && (about.role == CallRole::post || about.role == CallRole::probe ||
                                about.role == CallRole::mprobe || about.role == CallRole::complete);
  return {!late, about.role != CallRole::ready};
}

// The process, if this call of it is to be followed.
[[gnu::always_inline]] inline WaitFeed::Local* WaitFeed::local(const Process& process,
                                                               const Call& call, bool usual) {
  Local& mine = locals_[process];
  if (!mine.plain || !usual) [[unlikely]]
    return local_closer(process, call, mine);
  mine.rank = process.rank.value;
  mine.strand = 0;
  return &mine;
}

WaitFeed::Local* WaitFeed::local_closer(const Process& process, const Call& call, Local& mine) {
  if (mine.ignored || process.stranger() || process.rank.value < 0) return nullptr;
  mine.rank = process.rank.value;
  // Within a callback of another call.
  if (process.threads[static_cast<std::size_t>(call.thread())].depth > 1) return nullptr;
  mine.strand = strand_of(process, mine, call.thread());
  // Whatever it does, its other threads may be up and about.
  if (mine.watched ? !mine.outside : has_threads(process) && counts_threads(process))
    rests(process, false);
  mine.plain = !mine.watched;
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

bool WaitFeed::counts_threads(const Process& process) {
  if (process.stranger() || process.rank.value < 0 || process.phase >= Phase::finalizing)
    return false;
  return has_threads(process);
}

void WaitFeed::rests(const Process& process, bool rests, bool followed) {
  Local& mine = locals_[process];
  if (mine.rank < 0 || (rests && !mine.watched && !counts_threads(process))) return;
  mine.watched = true;
  mine.plain = false;
  mine.outside = !rests;
  node_.set_outside(mine.rank, !rests || !followed);
}

bool WaitFeed::runs_outside(const Process& process) const {
  const Local* its = locals_.find(process);
  return its != nullptr && its->watched && its->outside;
}

bool WaitFeed::inside(const Process& process, const Thread& thread) {
  if (thread.depth != 1) return false;
  Local& mine = locals_[process];
  // Who waits for a lock is told apart from the engine (epochs.cc).
  if (mine.strand_count <= 1 && mine.locking.seq != 0 && mine.locking.seq == thread.calls[0].seq())
    return true;
  return mine.rank >= 0 && !mine.ignored &&
         node_.inside(wait::Caller{mine.rank, strand_of(process, mine, thread.number)});
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

bool WaitFeed::is(wait::CommId id, const Communicator& comm) const {
  return comm.members != nullptr &&
         id == identity(world_.inter_id(comm.id), comm.inter(), *comm.members, 0);
}

// Communicators that one call made may have one identity; their members tell them apart.
wait::CommId WaitFeed::identity(std::uint64_t whole, bool inter, const Members& members,
                                std::uint64_t salt) {
  return mix(mix(whole, inter ? 0 : members.hash), salt);
}

WaitFeed::Target WaitFeed::target(const Transfer& side) {
  return {side.sound, side.peer, side.tag, side.sound ? bytes_of(side) : 0};
}

std::uint64_t WaitFeed::bytes_of(const Transfer& side) {
  if (side.count <= 0 || side.datatype == nullptr) return 0;
  return static_cast<std::uint64_t>(side.count) * static_cast<std::uint64_t>(side.datatype->size());
}

WaitFeed::Action WaitFeed::message(const Process& process, const Call& call, const Act& act,
                                   Local& mine) {
  Action a;
  a.label = label_of(call);
  a.key = act.op;
  a.comm = comm_of(process, mine, act.comm);
  if (act.send.there) a.send = target(act.send);
  if (act.recv.there) a.recv = {act.recv.sound, act.recv.peer, act.recv.tag, 0};
  a.blocks = act.blocking;
  a.held = !act.blocking;
  a.claims = call.info().role == CallRole::mprobe;
  a.standard = act.mode == SendMode::standard && call.info().family == Family::p2p;
  a.synchronous = act.mode == SendMode::standard || act.mode == SendMode::synchronous;
  return a;
}

// What most calls are: a send or a receive of which the engine can be told at once. False: it takes
// the long way (message, perform).
bool WaitFeed::post_plain(const Process& process, const Call& call, const Act& act, Local& mine) {
  const bool sends = act.send.there;
  const Transfer& side = sends ? act.send : act.recv;
  if (sends == act.recv.there || !side.sound || call.poisoned || !mine.waiting.empty() ||
      act.mode == SendMode::buffered || call.info().role != CallRole::post || world_.awaits_some())
    return false;
  const CommRef& comm = comm_of(process, mine, act.comm);
  if (comm.members == nullptr || comm.inter) return false;
  const wait::Rank me = mine.rank;
  const wait::Rank peer =
      side.peer == wire::kAnySource ? wait::kAnyRank : world_rank(*comm.members, side.peer);
  if (peer < (sends ? 0 : wait::kAnyRank)) return false;
  const wait::CommId id = define(mine, comm, 0);
  const wait::Caller caller{me, mine.strand};
  Entry made;
  if (sends) {
    const bool standard = act.mode == SendMode::standard;
    made.send = node_.send(caller, {.label = label_of(call),
                                    .envelope = {id, me, peer, static_cast<std::int32_t>(side.tag)},
                                    .blocks = act.blocking,
                                    .standard = standard && call.info().family == Family::p2p,
                                    .synchronous = standard || act.mode == SendMode::synchronous,
                                    .bytes = bytes_of(side)});
  } else {
    const std::int32_t tag = wait_tag(side.tag);
    made.asks = peer == wait::kAnyRank || tag == wait::kAnyTag;
    made.recv = node_.recv(caller, label_of(call), {id, peer, me, tag}, act.blocking);
  }
  mine.entries.put(act.op, made, act.blocking);
  return true;
}

// Events ------------------------------------------------------------------------------
[[gnu::always_inline]] inline void WaitFeed::enter_act(Process& process, Call& call, const Act& act,
                                                       Local& mine) {
  switch (act.what) {
    case Act::What::posted: {
      if (act.mode == SendMode::buffered) return;  // it is local
      if (post_plain(process, call, act, mine)) return;
      Action a = message(process, call, act, mine);
      if (call.info().role == CallRole::probe) a.what = Action::What::probe;
      return perform(mine, a);
    }
    case Act::What::received:
      return received(call, act, mine);
    case Act::What::awaited:
      if (!call.poisoned) await(call, act, mine);
      return;
    case Act::What::started:
      return start(act, mine);
    case Act::What::ready:
      return ready(call, act, mine);
    case Act::What::cancelled:
      // Its wait returns, whether it comes in time or not.
      for (const NamedPart& part : act.parts) {
        simple(mine, Action::What::excuse, part.op);
        // Whether a buffered message is still to be received nobody knows.
        if (info(part.request->made_by).mode == SendMode::buffered) mine.buffered.clear();
      }
      return;
    case Act::What::freed:
      for (const NamedPart& part : act.parts) {
        simple(mine, Action::What::release, part.op);
        mine.persistent.erase(part.request->pattern);
      }
      return;
    default:
      return;
  }
}

WaitFeed::Plan WaitFeed::make_plan(Proc proc) {
  const ProcInfo& about = info(proc);
  return {.acts = ActReader::sees(about.role),
          .asks = ActReader::asks(about),
          .blocks = about.has(kBlocking)};
}

void WaitFeed::enter(Process& process, Call& call, std::span<const Act> acts) {
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  if (call.proc() == Proc::grequest_complete) [[unlikely]]
    return enter_generalized_done(process, call);
  Local* mine = local(process, call, call.usual);
  if (mine == nullptr) return;
  if (mine->inside >= 0 && mine->inside != call.thread() &&
      process.thread_level != Constant::thread_multiple) {
    // Two calls at once have no order that could be followed.
    return give_up(*mine);
  }
  if (plan.blocks) mine->inside = call.thread();
  if (mine->polling && !plan.asks) stop_polling(*mine);
  if (!plan.acts) return enter_without_acts(process, call, *mine);
  for (const Act& act : acts) enter_act(process, call, act, *mine);
}

void WaitFeed::enter_without_acts(Process& process, Call& call, Local& mine) {
  switch (call.info().role) {
    case CallRole::none:
      return;
    case CallRole::join:
      return enter_collective(process, call, mine);
    case CallRole::join_groups:
      return enter_two_groups(process, call, mine);
    case CallRole::join_group:
      return enter_group(process, call, mine);
    case CallRole::finalize: {
      Action a;
      a.what = Action::What::finalize;
      a.label = label_of(call);
      return perform(mine, a);
    }
    default:
      return enter_other(process, call, mine);
  }
}

void WaitFeed::stop_polling(Local& mine) {
  if (!mine.polling) return;
  mine.polling = false;
  node_.polls_no_more(mine.rank);
}

inline void WaitFeed::leave_act(Process& process, Call& call, const Act& act, Local& mine) {
  switch (act.what) {
    case Act::What::posted:
      return posted_late(process, call, act, mine);
    case Act::What::prepared:
      return prepare(process, call, act, mine);
    case Act::What::started:
      return;  // poisoned
    case Act::What::returned:
      return returned(process, call, act, mine);
    case Act::What::withdrawn:
      if (mine.waits == call.seq()) mine.waits = 0;
      return simple(mine, Action::What::withdraw, act.op);
    case Act::What::completed:
      return completed(process, call, act, mine);
    case Act::What::asked:
      return asked(process, call, act, mine);
    case Act::What::received:  // poisoned
      return received(call, act, mine);
    default:
      return;
  }
}

void WaitFeed::leave(Process& process, Call& call, const Event& leave, std::span<const Act> acts) {
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  if (call.proc() == Proc::grequest_start) [[unlikely]]
    return leave_generalized(process, call, leave);
  Local* mine = local(process, call, call.usual && process.usual());
  if (mine == nullptr) return;
  const bool in_vain = plan.asks && ActReader::asked_in_vain(call, leave);
  if (plan.asks && !in_vain) stop_polling(*mine);
  if (mine->inside == call.thread()) mine->inside = -1;
  if (!plan.acts) return leave_without_acts(call, leave, in_vain, *mine);
  for (const Act& act : acts) leave_act(process, call, act, *mine);
}

void WaitFeed::leave_without_acts(Call& call, const Event& leave, bool in_vain, Local& mine) {
  switch (call.info().role) {
    case CallRole::none:
      if (in_vain) ask(mine, call, {});
      return;
    case CallRole::join:
    case CallRole::join_group:
    case CallRole::join_groups:
      return leave_collective(call, leave, mine);
    case CallRole::detach:
      return simple(mine, Action::What::returned, call_key(call.seq()));
    case CallRole::finalize:
      return;
    default:
      return leave_other(call, leave, mine);
  }
}

void WaitFeed::end(const Process& process) {
  Local& mine = locals_[process];
  if (mine.rank >= 0) node_.end(mine.rank);
  waiting_ -= mine.waiting.size();
  mine.waiting.clear();
}

// Messages ----------------------------------------------------------------------------
// What makes a request, a poisoned call that the library took after all, a probe that found.
void WaitFeed::posted_late(const Process& process, const Call& call, const Act& act, Local& mine) {
  const CallRole role = call.info().role;
  if (role == CallRole::probe) return;
  if (mine.waits == call.seq()) {
    // A schedule has made it wait; it may have left the tag to the message. What it takes follows.
    mine.waits = 0;
    resolve(mine, act.op, act.status);
    simple(mine, Action::What::returned, act.op);
  }
  if (!act.send.there && !act.recv.there) return;  // to MPI_PROC_NULL: nobody waits for it
  if (mine.decisions.empty() && post_plain(process, call, act, mine)) return;
  Action a = message(process, call, act, mine);
  a.blocks = false;
  if (role == CallRole::post && call.poisoned) a.synchronous = false;
  if (act.mode == SendMode::buffered && !call.poisoned) buffer(a);
  const CommRef comm = a.comm;
  perform(mine, a);
  for (const Local::Decision& d : mine.decisions) {
    if (d.call != call.seq()) continue;
    Action decision;
    decision.what = Action::What::decide;
    decision.key = act.op;
    decision.comm = comm;
    decision.recv = {true, d.source, d.tag, 0};
    perform(mine, decision);
  }
  if (role == CallRole::post) mine.decisions.clear();
}

void WaitFeed::returned(const Process& process, const Call& call, const Act& act, Local& mine) {
  const ProcInfo& about = call.info();
  if (act.mode == SendMode::buffered && !call.poisoned) {
    if (act.error != 0) return;
    Action a = message(process, call, ActReader::message(process, call), mine);
    buffer(a);
    return perform(mine, a);
  }
  // What most calls are: nothing waits, and what it took is known by what it asked for.
  if (mine.waiting.empty() && mine.waits == 0 && mine.strand_count <= 1 && !call.unordered &&
      about.role == CallRole::post) [[likely]] {
    Entry* entry = mine.entries.find(act.op);
    if (entry == nullptr) return;
    if (entry->asks) {
      resolve(mine, act.op, act.status);
      note_taken(process, call, mine, act);
    }
    return finish(mine, Action::What::returned, act.op);
  }
  const bool imposed = mine.waits == call.seq();
  if (imposed) mine.waits = 0;
  const bool looked = about.role == CallRole::probe && (!act.blocking || call.poisoned);
  if (looked && !imposed) return;  // it saw a message and left it there
  resolve(mine, act.op, act.status);
  if (looked) return simple(mine, Action::What::returned, act.op);
  if (about.role != CallRole::probe) note_taken(process, call, mine, act);
  returned(mine, act.op, call, about.send.peer >= 0);
}

// Of two threads that ask for the same message, or send with one envelope, only the library knows
// who was first. So one may have returned that by our count has to wait, and the other is past.
// What was received has come; whether a send would have waited is asked only where its order is
// known.
void WaitFeed::returned(Local& mine, std::uint64_t key, const Call& call, bool sends) {
  if (call.unordered || (mine.strand_count > 1 && !sends)) simple(mine, Action::What::excuse, key);
  simple(mine, Action::What::returned, key);
}

// MPI-4.1 3.8.2: the send that a matched probe has matched waits for this call.
void WaitFeed::received(const Call& call, const Act& act, Local& mine) {
  Action a;
  a.what = Action::What::received;
  a.label = label_of(call);
  a.key = act.op;
  perform(mine, a);
}

void WaitFeed::asked(const Process& process, const Call& call, const Act& act, Local& mine) {
  if (mine.waits == call.seq()) {
    mine.waits = 0;
    const bool message = call.info().role != CallRole::complete;
    simple(mine, message ? Action::What::withdraw : Action::What::returned, call_key(call.seq()));
  }
  if (call.poisoned) return;
  if (call.info().role != CallRole::complete) {
    Action a = message(process, call, act, mine);
    a.what = Action::What::polls_message;
    return perform(mine, a);
  }
  Action a;
  a.what = Action::What::polls;
  a.label = label_of(call);
  a.all = call.info().at.index < 0;
  keys_.clear();
  for (const NamedPart& part : act.parts) {
    if (!part.request->poisoned) keys_.push_back(part.op);
  }
  perform(mine, a, keys_);
}

// Requests ----------------------------------------------------------------------------
void WaitFeed::await(const Call& call, const Act& act, Local& mine) {
  const bool all = call.info().at.index < 0;  // else one is enough
  keys_.clear();
  bool unknown = false;
  for (const NamedPart& part : act.parts) {
    // Perhaps it means another one that has the same handle.
    const bool followed = !part.request->poisoned && part.certain;
    if (followed) keys_.push_back(part.op);
    unknown = unknown || !followed;
  }
  // One of those that cannot be followed may be what it waits for.
  if (keys_.empty() || (unknown && !all)) return;
  Action a;
  a.what = Action::What::completion;
  a.label = label_of(call);
  a.key = act.op;
  a.all = all;
  if (mine.waiting.empty()) return apply_completion(mine, a, keys_);
  perform(mine, a, keys_);
}

void WaitFeed::completed(const Process& process, const Call& call, const Act& act, Local& mine) {
  if (mine.waits == call.seq()) {
    mine.waits = 0;
    simple(mine, Action::What::returned, act.op);
  }
  bool sends = false;
  for (const NamedPart& part : act.parts) {
    if (!part.done) continue;
    const RequestKind kind = part.request->kind;
    sends = sends || kind != RequestKind::recv;
    if (part.status.cancelled()) {
      simple(mine, Action::What::withdraw, part.op);
    } else if (kind == RequestKind::recv || kind == RequestKind::other ||
               kind == RequestKind::partitioned_recv) {
      resolve(mine, part.op, part.status);
      const Request& r = *part.request;
      if (kind == RequestKind::recv)
        note_taken(process, mine, {static_cast<std::uint16_t>(r.made_by), r.made}, r.comm, r.peer,
                   r.tag, part.status);
    }
    simple(mine, Action::What::release, part.op);
  }
  if (act.blocking) returned(mine, act.op, call, sends);
}

// For the words of a deadlock: a receive that names its message may wait for one that an earlier
// wildcard has taken.
void WaitFeed::note_taken(const Process& process, const Call& call, Local& mine, const Act& act) {
  const TransferSide& asked = call.info().recv;
  if (asked.peer < 0 || asked.tag < 0) return;
  note_taken(process, mine, label_of(call), call.enter().handle(call.info().at.object),
             call.enter().value(asked.peer), call.enter().value(asked.tag), act.status);
}

void WaitFeed::note_taken(const Process& process, Local& mine, wait::Label label,
                          std::uint64_t comm, std::int64_t source, std::int64_t tag,
                          const wire::Status& status) {
  if ((source != wire::kAnySource && tag != wire::kAnyTag) || !status.names_message()) return;
  const CommRef& of = comm_of(process, mine, comm);
  if (of.members == nullptr || of.inter || world_.awaits_some()) return;
  const wait::Rank from = world_rank(*of.members, status.source);
  if (from < 0) return;
  if (mine.taken.empty()) mine.taken.resize(kTaken);
  const wait::Envelope message{define(mine, of, 0), from, mine.rank, wait_tag(status.tag)};
  const std::uint64_t place = mix(mix(message.comm, static_cast<std::uint64_t>(from)),
                                  static_cast<std::uint32_t>(status.tag));
  mine.taken[place % kTaken] = {label, message, source == wire::kAnySource, tag == wire::kAnyTag};
}

std::optional<WaitFeed::Taken> WaitFeed::taken_before(const Process& process,
                                                      const wait::OpState& recv) {
  const wait::Envelope& e = recv.decided ? recv.asked : recv.envelope;
  const wait::Rank me = process.rank.value;
  if (const wait::Op* op = node_.taken_by_request(me, e); op != nullptr && op->label != recv.label)
    return Taken{op->label,
                 {e.comm, op->source, me, op->tag},
                 op->envelope.source == wait::kAnyRank,
                 op->envelope.tag == wait::kAnyTag};
  for (const Taken& one : locals_[process].taken) {
    const wait::Envelope& m = one.message;
    if (one.label.site.value != 0 && one.label != recv.label &&
        wait::Inbox::accepts(e, {m.comm, m.source, m.dest, m.tag}))
      return one;
  }
  return std::nullopt;
}

void WaitFeed::prepare(const Process& process, const Call& call, const Act& act, Local& mine) {
  const Action a = message(process, call, act, mine);
  Started s;
  s.comm = a.comm;
  s.send = a.send;
  s.recv = a.recv;
  s.standard = a.standard;
  s.synchronous = a.synchronous;
  s.buffered = act.mode == SendMode::buffered;
  s.label = a.label;
  if (call.info().at.partitions >= 0) {
    // MPI-4.1 4.2.1: the n-th send with an envelope meets the n-th receive, whatever is started
    // first.
    const bool sends = call.info().send.peer >= 0;
    const Transfer& side = sends ? act.send : act.recv;
    const std::uint64_t envelope = mix(mix(s.comm.id, static_cast<std::uint64_t>(side.peer)),
                                       static_cast<std::uint64_t>(side.tag) * 2 + sends);
    const std::uint64_t n = mine.partitioned.next(envelope);
    s.salt = n == 0 ? kPartitioned : mix(kPartitioned, n);
    if (sends) s.partitions = act.partitions;
  }
  if (call.poisoned) s.comm = {};
  mine.persistent[act.op] = s;
}

void WaitFeed::start(const Act& act, Local& mine) {
  const auto found = mine.persistent.find(act.pattern);
  if (found == mine.persistent.end()) return;
  Started& s = found->second;
  s.key = act.op;
  s.raw = act.parts[0].request->raw;
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
  perform(mine, a);
}

// What a schedule decided -------------------------------------------------------------
void WaitFeed::decided(Process& process, int thread, const Event& meta) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if (t.depth == 0) return;
  Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
  Local* mine = local(process, call, false);
  if (mine == nullptr || call.poisoned) return;
  if (static_cast<wire::DecisionKind>(meta.word(0)) == wire::DecisionKind::match) {
    decided_match(process, call, meta, *mine);
  } else {
    decided_pick(process, call, meta, *mine);
  }
}

void WaitFeed::decided_match(Process& process, Call& call, const Event& meta, Local& mine) {
  const ProcInfo& about = call.info();
  const auto source = static_cast<std::int64_t>(meta.word(3));
  const auto tag = static_cast<std::int64_t>(meta.word(4));
  Action a;
  a.what = Action::What::decide;
  a.recv = {true, source, tag, 0};
  a.key = ActReader::decided(call, meta.word(2));
  if (about.role == CallRole::start) {
    const Request* r = named_request(process, call, about.at.request, meta.word(2)).request;
    const auto found = r == nullptr ? mine.persistent.end() : mine.persistent.find(r->pattern);
    if (found == mine.persistent.end()) return;
    a.comm = found->second.comm;
    return perform(mine, a);
  }
  // What makes a request is posted when it has returned.
  if (!about.has(kBlocking) && mine.waits != call.seq()) {
    mine.decisions.push_back({call.seq(), source, tag});
    return;
  }
  a.comm = comm_of(process, call.enter().handle(about.at.object));
  perform(mine, a);
}

// A call that only asks waits, and one that waits for any waits for these as well.
void WaitFeed::decided_pick(Process& process, Call& call, const Event& meta, Local& mine) {
  const CallRole role = call.info().role;
  if (role == CallRole::probe || role == CallRole::mprobe) {
    Action a = message(process, call, ActReader::message(process, call), mine);
    a.what = Action::What::probe;
    a.claims = false;
    a.blocks = true;
    a.imposed = true;
    mine.waits = call.seq();
    return perform(mine, a);
  }
  if (role != CallRole::complete) return;
  const std::uint64_t indices = meta.header().words - 2;
  Action a;
  a.what = Action::What::completion;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  keys_.clear();
  for (const NamedPart& part : ActReader::active(process, call)) {
    const std::uint64_t* first = meta.words() + 2;
    const bool named =
        indices == 0 || std::find(first, first + indices, part.place) != first + indices;
    if (named && !part.request->poisoned) keys_.push_back(part.op);
  }
  a.imposed = true;
  mine.waits = call.seq();
  if (!keys_.empty()) perform(mine, a, keys_);
}

// Collectives -------------------------------------------------------------------------
WaitFeed::Order* WaitFeed::order(Process& process, const Call& call, Local& mine) {
  const int object = call.info().at.object;
  const std::uint64_t raw = call.enter().handle(object);
  const Kind kind = call.info().params[static_cast<std::size_t>(object)].kind;
  if (kind != Kind::comm) {
    auto& table = kind == Kind::win ? mine.windows : mine.files;
    const auto found = table.find(raw);
    return found == table.end() ? nullptr : &found->second;
  }
  auto& latest = mine.ordered;
  if (latest.order == nullptr || latest.raw != raw || latest.changes != process.changes)
    latest = {raw, process.changes, comm_order(process, raw, mine)};
  return latest.order;
}

WaitFeed::Order* WaitFeed::comm_order(const Process& process, std::uint64_t raw, Local& mine) {
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

void WaitFeed::enter_collective(Process& process, Call& call, Local& mine) {
  const ProcInfo& about = call.info();
  Order* o = order(process, call, mine);
  if (o == nullptr) return;
  const std::uint64_t wave = o->next++;
  const bool blocks = about.has(kBlocking);
  // No library can let a member out before all are in: each needs something of every other.
  const bool loose = !info(about.base).is(Trait::needs_all);
  // Most communicators are known to all members from the start.
  if (mine.waiting.empty() && !o->comm.inter && !world_.awaits_some() &&
      !about.has(kDestructor | kPersistent)) {
    Entry made;
    made.own =
        node_.collective({mine.rank, mine.strand}, label_of(call), define(mine, o->comm, o->salt),
                         wave, blocks && !call.poisoned, loose);
    return mine.entries.put(call_key(call.seq()), made, blocks && !call.poisoned);
  }
  Action a;
  a.what = Action::What::collective;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  a.comm = o->comm;
  a.salt = o->salt;
  a.wave = wave;
  a.blocks = blocks && !call.poisoned;
  a.held = !blocks;
  a.loose = loose;
  if (about.has(kDestructor)) {
    const std::uint64_t raw = call.enter().handle(about.at.object);
    const Kind kind = about.params[static_cast<std::size_t>(about.at.object)].kind;
    (kind == Kind::comm ? mine.comms : kind == Kind::win ? mine.windows : mine.files).erase(raw);
    mine.ordered = {};
    if (kind == Kind::win) mine.syncs.erase(raw);
  }
  if (!about.has(kPersistent)) perform(mine, a);
}

void WaitFeed::leave_collective(Call& call, const Event& leave, Local& mine) {
  const ProcInfo& about = call.info();
  const std::uint64_t key = call_key(call.seq());
  const auto end = leave.error_class() != 0 ? Action::What::withdraw : Action::What::returned;
  if (about.role == CallRole::join_groups) {
    simple(mine, end, key | kLeadersPart);
    simple(mine, end, key | kBothPart);
  }
  if (leave.error_class() != 0) return simple(mine, end, key);
  if (about.has(kBlocking)) simple(mine, end, key);
  // What has an order of its own from here on: persistent ones, windows, files.
  if (about.role != CallRole::join || !leave.has_words() || !about.has(kPersistent | kConstructor))
    return;
  const int window = about.first(Kind::win, Dir::out), file = about.first(Kind::file, Dir::out);
  if (!about.has(kPersistent) && window < 0 && file < 0) return;
  const auto made_by = mine.comms.find(call.enter().handle(about.at.object));
  if (about.params[static_cast<std::size_t>(about.at.object)].kind != Kind::comm ||
      made_by == mine.comms.end())
    return;
  const Order& parent = made_by->second;
  if (parent.comm.members == nullptr || parent.next == 0) return;
  if (about.has(kPersistent)) {
    Started s;
    s.comm = parent.comm;
    s.salt = mix(mix(parent.salt, parent.next), kStarts);
    s.collective = true;
    s.label = label_of(call);
    mine.persistent[key] = s;
    return;
  }
  const Kind kind = window >= 0 ? Kind::win : Kind::file;
  Order made;
  made.comm = parent.comm;
  made.salt = mix(mix(parent.salt, parent.next), static_cast<std::uint64_t>(kind) + 16);
  const auto raw = static_cast<std::uint64_t>(leave.result(window >= 0 ? window : file));
  (kind == Kind::win ? mine.windows : mine.files)[raw] = made;
}

}  // namespace vouch
