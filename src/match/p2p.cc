#include "match/p2p.h"

#include <algorithm>

namespace vouch {
// The table
// -------------------------------------------------------------------------------------------------------------
P2p::Plan P2p::make_plan(Proc proc) {
  Plan p;
  const ProcInfo& about = info(proc);
  const auto word = [&](std::string_view name) {
    const int i = about.param(name);
    return i < 0 ? std::int8_t{-1} : about.params[static_cast<std::size_t>(i)].enter_word;
  };
  const auto param = [&](std::string_view name) {
    return static_cast<std::int8_t>(about.param(name));
  };
  const auto either = [](std::int8_t a, std::int8_t b) { return a >= 0 ? a : b; };
  p.comm = word("comm");
  p.partitions = word("partitions");
  p.request = param("request");
  p.requests = param("array_of_requests");
  p.status = param("status");
  p.statuses = param("array_of_statuses");
  p.flag = param("flag");
  p.message = param("message");
  p.index = param("index");
  p.indices = param("array_of_indices");
  p.outcount = param("outcount");
  p.sends = word("dest") >= 0;
  p.receives = word("source") >= 0;
  p.persistent = about.has(kPersistent);
  p.send = {either(word("sendcount"), word("count")), either(word("sendtype"), word("datatype")),
            word("dest"), either(word("sendtag"), word("tag"))};
  p.recv = {either(word("recvcount"), word("count")), either(word("recvtype"), word("datatype")),
            word("source"), either(word("recvtag"), word("tag"))};
  switch (about.base) {
    case Proc::bsend:
      p.mode = SendMode::buffered;
      break;
    case Proc::rsend:
      p.mode = SendMode::ready;
      break;
    case Proc::ssend:
      p.mode = SendMode::synchronous;
      break;
    default:
      break;
  }
  switch (about.family) {
    case Family::p2p:
    case Family::partitioned:
      p.what = p.message >= 0                           ? Do::receive_message
               : p.comm >= 0 && (p.sends || p.receives) ? Do::post
                                                        : Do::nothing;
      break;
    case Family::probe:
      p.what = p.message >= 0 ? Do::probe : Do::look;
      break;
    case Family::completion:
      p.what = p.requests >= 0 ? Do::complete_many : Do::complete_one;
      break;
    case Family::comm:
    case Family::topology:
    case Family::dynamic:
    case Family::session:
      p.what = about.first(Kind::comm, Dir::out) >= 0 || about.has(kDestructor) ? Do::change_comms
                                                                                : Do::nothing;
      break;
    default:
      break;
  }
  switch (proc) {
    case Proc::start:
      p.what = Do::start;
      break;
    case Proc::startall:
      p.what = Do::startall;
      break;
    case Proc::cancel:
      p.what = Do::cancel;
      break;
    case Proc::request_free:
      p.what = Do::free;
      break;
    case Proc::comm_disconnect:
      p.what = Do::change_comms;
      break;
    case Proc::intercomm_create:
    case Proc::intercomm_create_from_groups:
      p.what = Do::join;
      break;
    default:
      break;
  }
  const bool waits = about.has(kBlocking);
  p.enter = (waits && (p.what == Do::post || p.what == Do::look || p.what == Do::probe)) ||
            p.what == Do::receive_message;
  p.leave = p.what != Do::nothing;
  return p;
}

P2p::P2p(World& world, Clocks& clocks) : world_(world), clocks_(clocks), mailroom_(clocks) {}

// Posting
// ---------------------------------------------------------------------------------------------------------------
Port* P2p::port(const Process& process, Local& mine, std::uint64_t comm) {
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

Operation* P2p::make(const Process& process, Local& mine, const Call& call, const Plan& p,
                     Role role) {
  const Event enter = call.enter();
  const Side& side = role == Role::send ? p.send : p.recv;
  const auto peer = static_cast<std::int64_t>(enter.word(side.peer));
  if (peer == wire::kProcNull) return nullptr;
  Port* at = port(process, mine, enter.word(p.comm));
  if (at == nullptr) return nullptr;
  const auto tag = static_cast<std::int64_t>(enter.word(side.tag));
  // What no library could have taken; a poisoned call is posted too.
  if (peer != wire::kAnySource && (peer < 0 || peer > INT32_MAX)) return nullptr;
  if (tag != wire::kAnyTag && (tag < 0 || tag > INT32_MAX)) return nullptr;
  Operation* op = mailroom_.make(*at, role);
  op->mode = p.mode;
  op->proc = call.proc();
  op->seq = call.seq();
  op->thread = call.thread();
  op->site = op->posted = call.site();
  op->peer = peer;
  op->tag = tag;
  op->poisoned = call.poisoned || call.unordered;
  op->blocking = p.enter;
  if (side.count >= 0) {
    op->count = static_cast<std::int64_t>(enter.word(side.count));
    if (const Datatype* type = process.datatypes.find(enter.word(side.type))) op->hold(type->type);
  }
  if (p.partitions >= 0) op->partitions = static_cast<std::int64_t>(enter.word(p.partitions));
  return op;
}

void P2p::post_both(Process& process, Call& call, const Plan& p, Open& open) {
  Local& mine = local(process);
  if (p.sends && (open.send = make(process, mine, call, p, Role::send))) mailroom_.post(open.send);
  if (p.receives &&
      (open.recv = make(process, mine, call, p, p.what == Do::look ? Role::look : Role::recv))) {
    if (p.what == Do::probe) open.recv->buffer_known = false;
    mailroom_.post(open.recv);
    if (!mine.given.empty()) give(mine, *open.recv, call.seq(), 0);
  }
}

void P2p::enter(Process& process, Call& call) {
  const Plan& p = plan(call.proc());
  if (call.poisoned) return;
  if (p.what == Do::receive_message) return receive_message(process, call, p);
  Open open{call.seq(), nullptr, nullptr};
  post_both(process, call, p, open);
  if (open.send != nullptr || open.recv != nullptr) local(process).open.push_back(open);
}

// What is posted when its call has returned gets it then.
void P2p::decided(Process& process, int thread, const Event& meta) {
  const Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if (static_cast<wire::DecisionKind>(meta.word(0)) != wire::DecisionKind::match || t.depth == 0)
    return;
  const std::uint32_t seq = t.calls[static_cast<std::size_t>(t.depth) - 1].seq();
  Local& mine = local(process);
  std::erase_if(mine.given, [&](const Given& g) { return g.seq < seq; });  // of calls that failed
  const auto tag = static_cast<std::int64_t>(meta.word(4));
  mine.given.push_back({seq, meta.word(2), static_cast<int>(meta.word(3)),
                        tag == wire::kAnyTag ? -1 : static_cast<int>(tag)});
  for (const Open& open : mine.open)
    if (open.seq == seq && open.recv != nullptr) return give(mine, *open.recv, seq, 0);
}

void P2p::give(Local& mine, const Operation& op, std::uint32_t seq, std::uint64_t place) {
  const auto found = std::find_if(mine.given.begin(), mine.given.end(),
                                  [&](const Given& g) { return g.seq == seq && g.place == place; });
  if (found == mine.given.end()) return;
  if (mailroom_.unresolved(&op)) hints_[op.position()] = {found->source, found->tag, false};
  mine.given.erase(found);
}

// Returning
// -------------------------------------------------------------------------------------------------------------
P2p::Open P2p::take_open(Local& mine, std::uint32_t seq) {
  for (std::size_t i = mine.open.size(); i-- > 0;) {
    if (mine.open[i].seq != seq) continue;
    const Open open = mine.open[i];
    mine.open.erase(mine.open.begin() + static_cast<std::ptrdiff_t>(i));
    return open;
  }
  return {};
}

// It may have met another message than its place in the queue says.
void P2p::mark(const Call& call, const Open& open) {
  if (!call.unordered) return;
  if (open.send != nullptr) open.send->poisoned = true;
  if (open.recv != nullptr) open.recv->poisoned = true;
}

void P2p::conclude(Operation* op, const wire::Status* status) {
  op->status_seen = status_seen_;
  op->polled = polled_;
  if (!hints_.empty()) hints_.erase(op->position());
  if (!mailroom_.unresolved(op)) return mailroom_.complete(op);
  if (status != nullptr && status->names_message() && status->tag >= 0) {
    return mailroom_.complete(op, status->source, status->tag);
  }
  mailroom_.lose(op);
}

void P2p::leave(Process& process, Call& call, const Event& leave) {
  const Plan& p = plan(call.proc());
  switch (p.what) {
    case Do::nothing:
      return;
    case Do::post:
      return leave_post(process, call, p, leave);
    case Do::look:
    case Do::probe:
      return leave_probe(process, call, p, leave);
    case Do::receive_message:
      return leave_message(process, call, p, leave);
    case Do::complete_one:
      return complete_one(process, call, p, leave);
    case Do::complete_many:
      return complete_many(process, call, p, leave);
    case Do::start:
      if (leave.error_class() == 0) start(process, call, call.enter().handle(p.request), 0);
      return;
    case Do::startall:
      if (leave.error_class() == 0) {
        const Event enter = call.enter();
        const ArrayView requests = enter.array(p.requests);
        for (std::uint64_t i = 0; i < requests.size(); ++i)
          start(process, call, static_cast<std::uint64_t>(requests[i]), i);
      }
      return;
    case Do::cancel:
      if (leave.error_class() == 0) {
        if (Pending* pending = local(process).requests.find(call.enter().handle(p.request))) {
          if (Operation* op = pending->persistent ? pending->also : pending->op)
            op->cancel_asked = true;
        }
      }
      return;
    case Do::free:
      if (leave.error_class() == 0) free(local(process), call.enter().handle(p.request));
      return;
    case Do::join:
      joined_ = true;
      [[fallthrough]];
    case Do::change_comms:
      return comms_changed(process, call, leave);
  }
}

void P2p::leave_post(Process& process, Call& call, const Plan& p, const Event& leave) {
  Local& mine = local(process);
  const int error = leave.error_class();
  if (p.receives && error != 0 && !process.took(error))
    mailroom_.note_broken({process.rank, call.site(), call.proc()});
  if (p.enter) {  // blocking
    Open open = take_open(mine, call.seq());
    if (open.seq == 0 && call.poisoned && error == 0) post_both(process, call, p, open);
    mark(call, open);
    if (process.took(error)) {
      status_seen_ = p.status >= 0 && call.enter().address(p.status) != wire::kIgnore;
      polled_ = false;
      wire::Status status;
      const bool told =
          open.recv != nullptr && mailroom_.unresolved(open.recv) && leave.has_words();
      if (told) status = leave.result_status(p.status);
      if (open.send != nullptr) conclude(open.send, nullptr);
      if (open.recv != nullptr) conclude(open.recv, told ? &status : nullptr);
    } else {
      if (open.send != nullptr) mailroom_.withdraw(open.send);
      if (open.recv != nullptr) mailroom_.withdraw(open.recv);
    }
    return;
  }
  if (error != 0) return;
  Open open;
  if (p.persistent && p.partitions < 0) {
    // A pattern for each start; not posted.
    Pending pending;
    pending.op = make(process, mine, call, p, p.sends ? Role::send : Role::recv);
    pending.persistent = true;
    if (pending.op != nullptr)
      keep(process, mine, static_cast<std::uint64_t>(leave.result(p.request)), pending);
    return;
  }
  post_both(process, call, p, open);
  if (p.partitions >= 0) {  // matched by order of initialisation, once for all starts (MPI-4.1 4.2)
    if (open.send != nullptr) mailroom_.decide(open.send);
    if (open.recv != nullptr) mailroom_.decide(open.recv);
    return;
  }
  hold(process, mine, p, leave, open);
}

// The operations are decided when their request is.
void P2p::hold(Process& process, Local& mine, const Plan& p, const Event& leave, const Open& open) {
  if (open.send == nullptr && open.recv == nullptr) return;
  Pending pending;
  pending.op = open.recv != nullptr ? open.recv : open.send;
  if (open.recv != nullptr) pending.also = open.send;
  keep(process, mine, static_cast<std::uint64_t>(leave.result(p.request)), pending);
}

void P2p::keep(Process& process, Local& mine, std::uint64_t request, const Pending& pending) {
  // A handle that is issued again while it is live is shared by all requests that are complete at
  // once (Request::twins): the older one cannot be cancelled any more.
  if (const Pending* old = mine.requests.find(request)) {
    if (old->persistent) {
      free(mine, request);
    } else {
      completed(process, mine, request, nullptr, 0);
    }
  }
  mine.requests[request] = pending;
}

void P2p::leave_probe(Process& process, Call& call, const Plan& p, const Event& leave) {
  Local& mine = local(process);
  const int error = leave.error_class();
  const bool seen = error == 0 && (p.flag < 0 || leave.result(p.flag) != 0);
  Open open = take_open(mine, call.seq());
  if (open.seq == 0 && seen && (!p.enter || call.poisoned)) post_both(process, call, p, open);
  if (open.recv == nullptr) return;
  if (!seen) return mailroom_.withdraw(open.recv);
  status_seen_ = call.enter().address(p.status) != wire::kIgnore;
  polled_ = p.flag >= 0;
  open.recv->looked = p.what == Do::probe && status_seen_;
  mark(call, open);
  wire::Status status;
  const bool told = mailroom_.unresolved(open.recv) && leave.has_words();
  if (told) status = leave.result_status(p.status);
  if (p.what == Do::probe) {
    const auto message = static_cast<std::uint64_t>(leave.result(p.message));
    if (Operation** old = mine.messages.find(message)) mailroom_.drop(*old);
    mine.messages[message] = open.recv;
  }
  conclude(open.recv, told ? &status : nullptr);
}

// Matched messages
// ------------------------------------------------------------------------------------------------------
void P2p::receive_message(Process& process, Call& call, const Plan& p) {
  Local& mine = local(process);
  const Event enter = call.enter();
  const std::uint64_t message = enter.handle(p.message);
  Operation** found = mine.messages.find(message);
  if (found == nullptr) return;
  Operation* op = *found;
  mine.messages.erase(message);
  op->proc = call.proc();
  op->site = call.site();
  op->seq = call.seq();
  op->thread = call.thread();
  op->count = static_cast<std::int64_t>(enter.word(p.recv.count));
  if (const Datatype* type = process.datatypes.find(enter.word(p.recv.type))) op->hold(type->type);
  // MPI_Imrecv: what completes it may tell.
  if (p.status < 0 || enter.address(p.status) != wire::kIgnore) op->status_seen = true;
  mailroom_.receive(op);
}

void P2p::leave_message(Process& process, Call& call, const Plan& p, const Event& leave) {
  if (!call.poisoned || leave.error_class() != 0) return;
  Local& mine = local(process);
  const std::uint64_t message = call.enter().handle(p.message);
  Operation** found = mine.messages.find(message);
  if (found == nullptr) return;
  mailroom_.drop(*found);
  mine.messages.erase(message);
}

// Requests
// --------------------------------------------------------------------------------------------------------------
void P2p::completed(Process& process, Local& mine, std::uint64_t request,
                    const wire::Status* status, int error) {
  Pending* found = mine.requests.find(request);
  if (found == nullptr) return clocks_.request_done(process, request);
  Pending pending = *found;
  if (pending.persistent) {
    found->also = nullptr;
    pending = {pending.also, nullptr, true};
    if (pending.op == nullptr) return;
  } else {
    mine.requests.erase(request);
  }
  const bool cancelled = status != nullptr && status->cancelled();
  for (Operation* op : {pending.op, pending.also}) {
    if (op == nullptr) continue;
    if (cancelled || !process.took(error)) {
      mailroom_.withdraw(op);
    } else {
      op->needless = op->cancel_asked;
      op->cancel_asked = false;  // it came too late
      conclude(op, op->role == Role::recv ? status : nullptr);
    }
  }
}

void P2p::complete_one(Process& process, Call& call, const Plan& p, const Event& leave) {
  Local& mine = local(process);
  if ((mine.requests.empty() && !clocks_.expects(process)) || !leave.has_words()) return;
  if (p.flag >= 0 && leave.result(p.flag) == 0) return;
  const std::uint64_t raw = call.enter().handle(p.request);
  const Pending* pending = mine.requests.find(raw);
  if (pending == nullptr) return clocks_.request_done(process, raw);
  const int error = leave.error_class();
  // A failed operation is complete too: its handle became null. One that is still there may only be
  // inactive.
  if (error != 0 && static_cast<std::uint64_t>(leave.result(p.request)) == raw &&
      !pending->persistent)
    return;
  const wire::Status status = leave.result_status(p.status);
  status_seen_ = call.enter().address(p.status) != wire::kIgnore;
  polled_ = p.flag >= 0;
  completed(process, mine, raw, &status, error);
}

void P2p::complete_many(Process& process, Call& call, const Plan& p, const Event& leave) {
  Local& mine = local(process);
  if ((mine.requests.empty() && !clocks_.expects(process)) || !leave.has_words()) return;
  if (p.flag >= 0 && leave.result(p.flag) == 0) return;
  const Event enter = call.enter();
  const ArrayView requests = enter.array(p.requests);
  const int error = leave.error_class();
  status_seen_ = enter.address(p.statuses >= 0 ? p.statuses : p.status) != wire::kIgnore;
  polled_ = p.flag >= 0 || p.index >= 0 || p.indices >= 0;
  const Constant name =
      error == 0 ? Constant::none
                 : process.constant_of(Kind::error_class, static_cast<std::uint64_t>(error));
  const auto one = [&](std::int64_t i, const wire::Status* status, int failed) {
    if (i < 0 || static_cast<std::uint64_t>(i) >= requests.size()) return;
    completed(process, mine, static_cast<std::uint64_t>(requests[static_cast<std::uint64_t>(i)]),
              status, failed);
  };
  // After an error that no status explains the array itself tells: what became null is complete.
  const auto became_null = [&](std::int64_t i) {
    const ArrayView after = leave.result_array(p.requests);
    return i >= 0 && static_cast<std::uint64_t>(i) < after.size() &&
           process.is_null(Kind::request,
                           static_cast<std::uint64_t>(after[static_cast<std::uint64_t>(i)]));
  };
  if (p.index >= 0) {
    const std::int64_t i = leave.result(p.index);
    if (error != 0 && !became_null(i)) return;
    const wire::Status status = leave.result_status(p.status);
    return one(i, &status, error);
  }
  if (error != 0 && name != Constant::err_in_status) {
    for (std::uint64_t i = 0; i < requests.size(); ++i) {
      if (became_null(static_cast<std::int64_t>(i)))
        one(static_cast<std::int64_t>(i), nullptr, error);
    }
    return;
  }
  const ArrayView statuses = leave.result_array(p.statuses);
  const auto judge = [&](std::int64_t i, std::uint64_t k) {
    if (k >= statuses.size()) return one(i, nullptr, 0);
    const wire::Status status = statuses.status(k);
    const int failed = error == 0 ? 0 : status.error;
    if (failed != 0 && process.constant_of(Kind::error_class, static_cast<std::uint64_t>(failed)) ==
                           Constant::err_pending) {
      return;
    }
    one(i, &status, failed);
  };
  if (p.indices >= 0) {
    const ArrayView indices = leave.result_array(p.indices);
    const std::int64_t n = leave.result(p.outcount);  // MPI_UNDEFINED is negative
    for (std::uint64_t k = 0; k < indices.size() && static_cast<std::int64_t>(k) < n; ++k)
      judge(indices[k], k);
    return;
  }
  for (std::uint64_t i = 0; i < requests.size(); ++i) judge(static_cast<std::int64_t>(i), i);
}

void P2p::start(Process& process, Call& call, std::uint64_t request, std::uint64_t place) {
  Local& mine = local(process);
  Pending* pending = mine.requests.find(request);
  if (pending == nullptr || !pending->persistent) return;
  if (pending->also != nullptr)
    return;  // started twice: the library refused, or nobody knows what it did
  const Operation& pattern = *pending->op;
  Operation* op = mailroom_.copy(pattern);
  op->seq = call.seq();
  op->thread = call.thread();
  op->posted = call.site();
  op->poisoned = pattern.poisoned || call.poisoned;
  mailroom_.post(op);
  if (!mine.given.empty()) give(mine, *op, call.seq(), place);
  pending->also = op;
}

void P2p::free(Local& mine, std::uint64_t request) {
  Pending* found = mine.requests.find(request);
  if (found == nullptr) return;
  const Pending pending = *found;
  mine.requests.erase(request);
  if (pending.persistent) mailroom_.discard(pending.op);
  for (Operation* op : {pending.persistent ? nullptr : pending.op, pending.also}) {
    if (op == nullptr) continue;
    op->freed = op->needless = true;
    // It completes unseen and cannot be cancelled any more; if that was tried before, nobody will
    // know.
    if (op->cancel_asked || mailroom_.unresolved(op)) {
      mine.orphans.push_back(op);
    } else {
      mailroom_.decide(op);
    }
  }
}

void P2p::comms_changed(Process& process, Call& call, const Event& leave) {
  Local& mine = local(process);
  mine.port = nullptr;
  if (leave.error_class() != 0 || !call.info().has(kDestructor)) return;
  const int p = call.info().first(Kind::comm, Dir::inout);
  const Communicator* c = p < 0 ? nullptr : process.comms.find(call.enter().handle(p));
  if (c == nullptr || c->predefined() || c->rank < 0 || process.stranger() ||
      c->born_during(call.seq()))
    return;
  if (Port* at = mailroom_.find(process, *c)) mailroom_.close(*at);
}

// The end
// ---------------------------------------------------------------------------------------------------------------
// The library ended the process in a call, since a message was longer than the receive that took it
// (the exit status is the error class, of MPICH its low seven bits): the one that this call was
// about. Misses: calls on several requests, which fail with MPI_ERR_IN_STATUS.
void P2p::note_truncated(const Process& process, Local& mine) {
  if (!process.ended_by_truncation()) return;
  for (const Thread& thread : process.threads) {
    if (thread.depth == 0) continue;
    const Call& call = thread.calls[static_cast<std::size_t>(thread.depth) - 1];
    for (const Open& open : mine.open)
      if (open.seq == call.seq() && open.recv != nullptr)
        hints_[open.recv->position()].truncated = true;
    const Plan& p = plan(call.proc());
    if (p.what != Do::complete_one || p.request < 0) continue;
    if (const Pending* pending = mine.requests.find(call.enter().handle(p.request)))
      if (const Operation* op = pending->persistent ? pending->also : pending->op)
        if (op->role == Role::recv) hints_[op->position()].truncated = true;
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
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    Local& mine = locals_[i];
    if (i < world_.processes()) note_truncated(world_.process(i), mine);
    for (const Open& open : mine.open) {
      conclude_open(open.send);
      conclude_open(open.recv);
    }
    mine.open.clear();
    mine.requests.for_each([&](std::uint64_t, const Pending& pending) {
      for (Operation* op : {pending.persistent ? nullptr : pending.op, pending.also}) {
        if (op != nullptr) op->incomplete = true;
      }
      if (!pending.persistent) conclude_open(pending.op);
      conclude_open(pending.also);
    });
    mine.requests = {};
    for (Operation* op : mine.orphans) conclude_open(op);
    mine.orphans.clear();
  }
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
