#include "match/p2p.h"

#include <algorithm>

namespace vouch {
namespace {

bool changes_comms(const ProcInfo& about) {
  return about.first(Kind::comm, Dir::out) >= 0 || about.first(Kind::comm, Dir::inout) >= 0;
}

}  // namespace

P2p::P2p(World& world, Clocks& clocks) : world_(world), clocks_(clocks), mailroom_(clocks) {}

P2p::Sees P2p::make_sees(Proc proc) {
  const ProcInfo& about = info(proc);
  const bool acts = ActReader::sees(about.role) && about.role != CallRole::ready;
  const bool posts = about.role == CallRole::post || about.role == CallRole::probe ||
                     about.role == CallRole::mprobe;
  return {(posts && about.has(kBlocking)) || about.role == CallRole::mrecv ||
              about.role == CallRole::start,
          acts || changes_comms(about)};
}

// Posting -----------------------------------------------------------------------------
inline Port* P2p::port(const Process& process, Local& mine, std::uint64_t comm) {
  const bool known = mine.port != nullptr && mine.comm == comm && !joined_;
  return known ? mine.port : find_port(process, mine, comm);
}

Port* P2p::find_port(const Process& process, Local& mine, std::uint64_t comm) {
  if (joined_) {
    joined_ = false;
    mailroom_.join(world_);
  }
  if (mine.port != nullptr && mine.comm == comm) return mine.port;
  const Communicator* c = process.comms.find(comm);
  if (c == nullptr || c->rank < 0) return nullptr;
  if (const Hidden why = hidden(world_, process, *c); why != Hidden::no) {
    ++left_alone_[static_cast<std::size_t>(why)];
    if (world_.unseen(*c)) clocks_.doubt(static_cast<std::uint32_t>(process.index));
    return nullptr;
  }
  mine.comm = comm;
  mine.port = &mailroom_.port(process, *c);
  return mine.port;
}

[[gnu::always_inline]] inline Operation* P2p::make(const Process& process, Local& mine,
                                                   const Call& call, const Act& act, Role role) {
  const Transfer& side = role == Role::send ? act.send : act.recv;
  if (!side.there) return nullptr;
  Port* at = port(process, mine, act.comm);
  if (at == nullptr) return nullptr;
  if (!side.sound) return nullptr;  // a poisoned call is posted too
  Operation* op = mailroom_.make(*at, role);
  op->mode = act.mode;
  op->proc = call.proc();
  op->seq = call.seq();
  op->thread = call.thread();
  op->site = op->posted = call.site();
  op->peer = side.peer;
  op->tag = side.tag;
  op->poisoned = call.poisoned || call.unordered;
  op->blocking = act.blocking;
  if (side.type != 0) {
    op->count = side.count;
    if (side.datatype != nullptr) op->hold(side.datatype->type);
  }
  op->partitions = act.partitions;
  return op;
}

[[gnu::always_inline]] inline P2p::Pair P2p::make_both(const Process& process, Local& mine,
                                                       const Call& call, const Act& act) {
  Pair pair;
  if (act.send.there) pair.send = make(process, mine, call, act, Role::send);
  if (pair.send != nullptr) mailroom_.post(pair.send);
  if (!act.recv.there) return pair;
  const CallRole role = call.info().role;
  pair.recv = make(process, mine, call, act, role == CallRole::probe ? Role::look : Role::recv);
  if (pair.recv == nullptr) return pair;
  if (role == CallRole::mprobe) pair.recv->buffer_known = false;
  mailroom_.post(pair.recv);
  if (!mine.given.empty()) give(mine, pair.recv, act.op);
  return pair;
}

void P2p::post(const Process& process, Local& mine, const Call& call, const Act& act) {
  const Pair pair = make_both(process, mine, call, act);
  if (pair.send == nullptr && pair.recv == nullptr) return;
  if (act.blocking || call.info().role != CallRole::post) {
    mine.open.add(act.op, pair);
  } else {
    mine.pending[act.op] = pair;
  }
}

void P2p::prepare(const Process& process, Local& mine, const Call& call, const Act& act) {
  if (call.info().at.partitions >= 0) {
    // Matched by order of initialisation, once for all starts (MPI-4.1 4.2).
    const Pair pair = make_both(process, mine, call, act);
    if (pair.send != nullptr) mailroom_.decide(pair.send);
    if (pair.recv != nullptr) mailroom_.decide(pair.recv);
    return;
  }
  Pair pattern;
  pattern.pattern = true;
  pattern.send = make(process, mine, call, act, Role::send);
  pattern.recv = make(process, mine, call, act, Role::recv);
  if (pattern.send != nullptr || pattern.recv != nullptr) mine.pending[act.op] = pattern;
}

void P2p::start(Local& mine, const Call& call, const Act& act) {
  const Pair* known = mine.pending.find(act.pattern);
  if (known == nullptr) return;
  const Pair pattern = *known;
  Pair started;
  for (const auto part : {&Pair::send, &Pair::recv}) {
    if (pattern.*part == nullptr) continue;
    Operation* op = mailroom_.copy(*(pattern.*part));
    op->seq = call.seq();
    op->thread = call.thread();
    op->posted = call.site();
    op->poisoned = op->poisoned || call.poisoned;
    mailroom_.post(op);
    started.*part = op;
  }
  mine.pending[act.op] = started;
  give(mine, started.recv, act.op);
}

// What a schedule decided for an operation, once both are there.
void P2p::give(Local& mine, const Operation* op, OperationKey key) {
  if (op == nullptr) return;
  const auto found = std::find_if(mine.given.begin(), mine.given.end(),
                                  [&](const Given& g) { return g.key == key; });
  if (found == mine.given.end()) return;
  if (mailroom_.unresolved(op)) hints_[op->position()] = {found->source, found->tag, false};
  mine.given.erase(found);
}

void P2p::decided(Process& process, int thread, const Event& meta) {
  const Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if (static_cast<wire::DecisionKind>(meta.word(0)) != wire::DecisionKind::match || t.depth == 0)
    return;
  const Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
  Local& mine = locals_[process];
  std::erase_if(mine.given, [&](const Given& g) {  // of calls that failed
    return call_of(g.key) < call.seq();
  });
  const OperationKey key = ActReader::decided(call, meta.word(2));
  const auto tag = static_cast<std::int64_t>(meta.word(4));
  mine.given.push_back(
      {key, static_cast<int>(meta.word(3)), tag == wire::kAnyTag ? -1 : static_cast<int>(tag)});
  if (const Pair* pair = find(mine, key)) give(mine, pair->recv, key);
}

// Events ------------------------------------------------------------------------------
void P2p::enter(Process& process, Call& call, std::span<const Act> acts) {
  Local& mine = locals_[process];
  for (const Act& act : acts) {
    if (act.what == Act::What::posted) {
      post(process, mine, call, act);
    } else if (act.what == Act::What::started) {
      start(mine, call, act);
    } else if (act.what == Act::What::received) {
      receive(process, mine, call, act);
    }
  }
}

void P2p::leave(Process& process, Call& call, const Event& leave, std::span<const Act> acts) {
  const ProcInfo& about = call.info();
  if (!ActReader::sees(about.role)) {
    joined_ = joined_ || about.role == CallRole::join_groups;
    return comms_changed(process, call, leave);
  }
  Local& mine = locals_[process];
  if (about.role == CallRole::complete && mine.pending.empty() && !clocks_.expects(process)) return;
  for (const Act& act : acts) {
    switch (act.what) {
      case Act::What::posted:
        post(process, mine, call, act);
        break;
      case Act::What::prepared:
        prepare(process, mine, call, act);
        break;
      case Act::What::started:
        start(mine, call, act);
        break;
      case Act::What::returned:
        returned(mine, call, act);
        break;
      case Act::What::withdrawn:
        if (about.role == CallRole::post && about.recv.peer >= 0)
          mailroom_.note_broken({process.rank, call.site(), call.proc()});
        withdraw(mine, act.op);
        break;
      case Act::What::completed:
        if (act.told) completed(process, mine, act);
        break;
      case Act::What::received: {  // poisoned
        Operation** found = mine.messages.find(act.op);
        if (found != nullptr) mailroom_.drop(*found);
        mine.messages.erase(act.op);
        break;
      }
      case Act::What::cancelled:
        for (const NamedPart& part : act.parts) {
          const Pair* pair = mine.pending.find(part.op);
          if (pair == nullptr) continue;
          (pair->recv != nullptr ? pair->recv : pair->send)->cancel_asked = true;
        }
        break;
      case Act::What::freed:
        for (const NamedPart& part : act.parts) free(mine, part);
        break;
      default:
        break;
    }
  }
}

// The end of operations ---------------------------------------------------------------
std::vector<P2p::Open> P2p::OpenCalls::take_all() {
  std::vector<Open> all = std::move(more_);
  if (first_.key != 0) all.push_back(first_);
  std::sort(all.begin(), all.end(), [](const Open& a, const Open& b) { return a.key < b.key; });
  *this = {};
  return all;
}

P2p::Pair* P2p::find(Local& mine, OperationKey key) {
  Pair* open = mine.open.find(key);
  return open != nullptr ? open : mine.pending.find(key);
}

P2p::Pair P2p::take(Local& mine, OperationKey key) {
  if (const Pair* open = mine.open.find(key)) {
    const Pair pair = *open;
    mine.open.erase(key);
    return pair;
  }
  Pair pair;
  mine.pending.take(key, pair);
  return pair;
}

void P2p::withdraw(Local& mine, OperationKey key) {
  const Pair pair = take(mine, key);
  if (pair.send != nullptr) mailroom_.withdraw(pair.send);
  if (pair.recv != nullptr) mailroom_.withdraw(pair.recv);
}

void P2p::conclude(Operation* op, const Act& act, const wire::Status* status) {
  op->status_seen = act.status_seen;
  op->polled = act.polls;
  if (!hints_.empty()) hints_.erase(op->position());
  if (!mailroom_.unresolved(op)) return mailroom_.complete(op);
  if (status != nullptr && status->names_message() && status->tag >= 0)
    return mailroom_.complete(op, status->source, status->tag);
  mailroom_.lose(op);
}

void P2p::returned(Local& mine, const Call& call, const Act& act) {
  const Pair pair = take(mine, act.op);
  for (Operation* op : {pair.send, pair.recv}) {
    if (!call.unordered) break;
    // It may have met another message than its place in the queue says.
    if (op != nullptr) op->poisoned = true;
  }
  if (pair.send != nullptr) conclude(pair.send, act, nullptr);
  if (pair.recv == nullptr) return;
  if (call.info().role == CallRole::mprobe) {
    pair.recv->looked = act.status_seen;
    mine.messages[act.op] = pair.recv;
  }
  conclude(pair.recv, act, &act.status);
}

void P2p::completed(const Process& process, Local& mine, const Act& act) {
  for (const NamedPart& part : act.parts) {
    if (!part.done) continue;
    const Pair pair = take(mine, part.op);
    if (pair.send == nullptr && pair.recv == nullptr) {
      clocks_.request_done(process, call_of(part.op));
      continue;
    }
    const bool gone = part.status.cancelled() || !process.took(part.error);
    for (Operation* op : {pair.recv, pair.send}) {
      if (op == nullptr) continue;
      if (gone) {
        mailroom_.withdraw(op);
        continue;
      }
      op->needless = op->cancel_asked;
      op->cancel_asked = false;  // it came too late
      conclude(op, act, op->role == Role::recv ? &part.status : nullptr);
    }
  }
}

void P2p::receive(const Process& process, Local& mine, const Call& call, const Act& act) {
  Operation** found = mine.messages.find(act.op);
  if (found == nullptr) return;
  Operation* op = *found;
  mine.messages.erase(act.op);
  const ProcInfo& about = call.info();
  const Event enter = call.enter();
  op->proc = call.proc();
  op->site = call.site();
  op->seq = call.seq();
  op->thread = call.thread();
  op->count = enter.value(about.recv.count);
  if (const Datatype* type = process.datatypes.find(enter.handle(about.recv.type)))
    op->hold(type->type);
  // MPI_Imrecv: what completes it may tell.
  if (about.at.status < 0 || enter.address(about.at.status) != wire::kIgnore)
    op->status_seen = true;
  mailroom_.receive(op);
}

void P2p::free(Local& mine, const NamedPart& part) {
  const Pair pattern = part.request->persistent ? take(mine, part.request->pattern) : Pair();
  for (Operation* op : {pattern.send, pattern.recv})
    if (op != nullptr) mailroom_.discard(op);
  const Pair pair = take(mine, part.op);
  for (Operation* op : {pair.recv, pair.send})
    if (op != nullptr) let_go(mine, op);
}

// It completes unseen and cannot be cancelled any more; if that was tried before, nobody will know.
void P2p::let_go(Local& mine, Operation* op) {
  op->freed = op->needless = true;
  if (op->cancel_asked || mailroom_.unresolved(op)) {
    mine.orphans.push_back(op);
  } else {
    mailroom_.decide(op);
  }
}

void P2p::comms_changed(Process& process, Call& call, const Event& leave) {
  Local& mine = locals_[process];
  mine.port = nullptr;
  if (leave.error_class() != 0 || !call.info().has(kDestructor)) return;
  const int p = call.info().first(Kind::comm, Dir::inout);
  const Communicator* c = p < 0 ? nullptr : process.comms.find(call.enter().handle(p));
  if (c == nullptr || c->predefined() || c->rank < 0 || process.stranger() ||
      c->born_during(call.seq()))
    return;
  if (Port* at = mailroom_.find(process, *c)) mailroom_.close(*at);
}

// The end -----------------------------------------------------------------------------
// The library ended the process in a call, since a message was longer than the receive that took
// it: the one that this call was about. Misses: calls on several requests, which fail with
// MPI_ERR_IN_STATUS.
void P2p::note_truncated(const Process& process, Local& mine) {
  if (!process.ended_by_truncation()) return;
  for (const Thread& thread : process.threads) {
    if (thread.depth == 0) continue;
    const Call& call = thread.calls[static_cast<std::size_t>(thread.depth) - 1];
    const ProcInfo& about = call.info();
    const bool waits = about.role == CallRole::complete &&
                       !about.params[static_cast<std::size_t>(about.at.request)].is_array();
    OperationKey key = operation_key(call.seq());
    if (waits) {
      const std::vector<NamedPart> parts = ActReader::active(process, call);
      key = parts.empty() ? 0 : parts[0].op;
    }
    const Pair* pair = find(mine, key);
    if (pair != nullptr && pair->recv != nullptr && (waits || pair->recv->blocking))
      hints_[pair->recv->position()].truncated = true;
  }
}

void P2p::close() {
  if (joined_) mailroom_.join(world_);
  joined_ = false;
  mailroom_.begin_settling();
  const auto conclude_open = [&](Operation* op) {
    if (op == nullptr || mailroom_.unresolved(op)) return;
    op->role == Role::look || !op->buffer_known ? mailroom_.withdraw(op) : mailroom_.decide(op);
  };
  locals_.for_each([&](std::size_t i, Local& mine) {
    if (i < world_.processes()) note_truncated(world_.process(i), mine);
    for (const Open& open : mine.open.take_all()) {
      conclude_open(open.pair.send);
      conclude_open(open.pair.recv);
    }
    mine.pending.for_each([&](OperationKey, const Pair& pair) {
      if (pair.pattern) return;
      for (Operation* op : {pair.recv, pair.send}) {
        if (op == nullptr) continue;
        op->incomplete = true;
        conclude_open(op);
      }
    });
    mine.pending = {};
    for (Operation* op : mine.orphans) conclude_open(op);
    mine.orphans.clear();
  });
}

void P2p::settle() {
  mailroom_.name_groups(world_);
  mailroom_.settle([this](const Operation& op) {
    const auto known = hints_.find(op.position());
    return known == hints_.end() ? Mailroom::Hint{} : known->second;
  });
  for (std::size_t why = 1; why < left_alone_.size(); ++why) {
    if (left_alone_[why] > 0) mailroom_.tell_left_alone(static_cast<Hidden>(why), left_alone_[why]);
  }
}

}  // namespace vouch
