#include "act/act.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "model/completion.h"

namespace vouch {
namespace {

using What = Act::What;

bool is_array(const ProcInfo& about, int param) {
  return about.params[static_cast<std::size_t>(param)].is_array();
}

}  // namespace

ActReader::Words ActReader::words_of(Proc proc) {
  const ProcInfo& about = info(proc);
  const auto word = [&](int param) {
    if (param < 0) return std::int8_t{-1};
    const Param& p = about.params[static_cast<std::size_t>(param)];
    return static_cast<std::int8_t>(p.enter_word + (p.shape == Shape::pointer_inout));
  };
  const auto side = [&](const TransferSide& s) {
    return SideWords{word(s.peer), word(s.tag), word(s.count), word(s.type)};
  };
  Words w;
  w.role = about.role;
  w.blocking = about.has(kBlocking);
  w.persistent = about.has(kPersistent);
  w.polls = about.at.flag >= 0;
  w.mode = about.mode;
  w.comm = word(about.at.object);
  w.partitions = word(about.at.partitions);
  if (about.at.status >= 0) {
    const Param& status = about.params[static_cast<std::size_t>(about.at.status)];
    w.status_address = status.enter_word;
    w.status = status.leave_word;
  }
  w.send = side(about.send);
  w.recv = side(about.recv);
  // The rows of api/mpi.api that describe() relies on.
  const bool asks =
      w.role == CallRole::post || w.role == CallRole::probe || w.role == CallRole::mprobe;
  VOUCH_CHECK((w.send.peer >= 0) == (w.send.tag >= 0));
  VOUCH_CHECK((w.recv.peer >= 0) == (w.recv.tag >= 0));
  VOUCH_CHECK(!asks || (w.comm >= 0 && (w.send.peer >= 0 || w.recv.peer >= 0)));
  return w;
}

inline const Datatype* ActReader::datatype(const Process& process, std::uint64_t raw) {
  const bool known = latest_.raw == raw && latest_.process == &process &&
                     latest_.changes == process.changes && latest_.found != nullptr;
  if (!known) [[unlikely]]
    latest_ = {&process, process.changes, raw, process.datatypes.find(raw)};
  return latest_.found;
}

[[gnu::always_inline]] inline void ActReader::read(Transfer& t, const Process& process,
                                                   const Event& enter, const SideWords& at) {
  t.name(static_cast<std::int64_t>(enter.word(at.peer)),
         static_cast<std::int64_t>(enter.word(at.tag)));
  t.count = at.count >= 0 ? static_cast<std::int64_t>(enter.word(at.count)) : 0;
  t.type = at.type >= 0 ? enter.word(at.type) : 0;
  t.datatype = t.type != 0 ? datatype(process, t.type) : nullptr;
}

// Of a call whose operation is known already.
inline void ActReader::describe_call(Act& a, const Event& enter, const Words& w) {
  a.blocking = w.blocking;
  a.polls = w.polls;
  a.mode = w.mode;
  a.status_seen = w.status_address >= 0 && enter.word(w.status_address) != wire::kIgnore;
}

[[gnu::always_inline]] inline void ActReader::describe(Act& a, const Process& process,
                                                       const Event& enter, const Words& w) {
  describe_call(a, enter, w);
  a.comm = enter.word(w.comm);
  if (w.send.peer >= 0) read(a.send, process, enter, w.send);
  if (w.recv.peer >= 0) read(a.recv, process, enter, w.recv);
  if (w.partitions >= 0) a.partitions = static_cast<std::int64_t>(enter.word(w.partitions));
}

Act ActReader::message(const Process& process, const Call& call) {
  ActReader reader;
  Act a;
  a.op = operation_key(call.seq());
  reader.describe(a, process, call.enter(), reader.words_[static_cast<std::size_t>(call.proc())]);
  return a;
}

void ActReader::make_room() {
  acts_.resize(std::max<std::size_t>(4, 2 * room_));
  first_ = acts_.data();
  room_ = acts_.size();
}

// They are made by the million, so one that was used before is taken again, and of its sides only
// that they are not there is written.
[[gnu::always_inline]] inline Act& ActReader::add(What what, const Call& call) {
  if (count_ == room_) [[unlikely]]
    make_room();
  Act& a = first_[count_++];
  static_cast<ActFields&>(a) = {.what = what, .op = operation_key(call.seq())};
  a.send.there = a.send.sound = a.recv.there = a.recv.sound = false;
  return a;
}

[[gnu::always_inline]] inline Act& ActReader::add_left(What what, const Call& call,
                                                       const Event& leave) {
  Act& a = add(what, call);
  a.left = true;
  a.told = leave.has_words();
  a.error = leave.error_class();
  return a;
}

// Requests ----------------------------------------------------------------------------
namespace {

template <typename F>
void each_named(const Process& process, const Call& call, F&& f) {
  const ProcInfo& about = call.info();
  const int param = about.at.request;
  if (!is_array(about, param)) {
    const NamedRequest named = named_request(process, call, param);
    if (named.request != nullptr) f(named, std::uint32_t{0});
    return;
  }
  const NamedRequests all(process, call, param);
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const NamedRequest named = all[i];
    if (named.request != nullptr) f(named, static_cast<std::uint32_t>(i));
  }
}

void add_part(std::vector<NamedPart>& parts, const NamedRequest& named, std::uint32_t place) {
  NamedPart& part = parts.emplace_back();
  part.request = named.request;
  part.op = named.request->operation;
  part.place = place;
  part.certain = named.certain;
}

}  // namespace

void ActReader::name(const Process& process, const Call& call) {
  parts_.clear();
  each_named(process, call, [&](const NamedRequest& named, std::uint32_t place) {
    add_part(parts_, named, place);
  });
}

void ActReader::name_active(const Process& process, const Call& call) {
  parts_.clear();
  each_named(process, call, [&](const NamedRequest& named, std::uint32_t place) {
    if (named.request->state == RequestState::active) add_part(parts_, named, place);
  });
}

std::vector<NamedPart> ActReader::active(const Process& process, const Call& call) {
  ActReader reader;
  reader.name_active(process, call);
  return std::move(reader.parts_);
}

void ActReader::begin(const Process& process, const Call& call, bool late) {
  name(process, call);
  for (const NamedPart& part : parts_) {
    const Request& r = *part.request;
    // The model has begun them when the call was entered.
    const bool begins = late ? r.call == call.seq() : r.state != RequestState::active;
    if (!r.persistent || !begins) continue;
    Act& a = add(late || !call.poisoned ? What::started : What::called, call);
    a.op = operation_key(call.seq(), part.place + 1);
    a.pattern = r.pattern;
    a.left = late;
    a.parts = {&part, 1};
  }
}

void ActReader::mark_ready(const Process& process, const Call& call) {
  name(process, call);
  if (parts_.empty()) return;
  const std::vector<bool>& ready = parts_[0].request->ready;
  Act& a = add(What::ready, call);
  each_partition(call, ready.size(), [&](std::size_t i) { a.partitions += !ready[i]; });
  a.op = parts_[0].op;
  a.parts = parts_;
}

// Entering ----------------------------------------------------------------------------
std::span<const Act> ActReader::enter(const Process& process, const Call& call) {
  count_ = 0;
  const Words& w = words_[static_cast<std::size_t>(call.proc())];
  switch (w.role) {
    case CallRole::post:
      if (w.persistent) break;
      describe(add(w.blocking && !call.poisoned ? What::posted : What::called, call), process,
               call.enter(), w);
      break;
    case CallRole::probe:
    case CallRole::mprobe:
      if (!w.blocking) break;
      describe(add(call.poisoned ? What::called : What::posted, call), process, call.enter(), w);
      break;
    case CallRole::mrecv: {
      const Message* m = process.messages.find(call.enter().handle(call.info().at.message));
      if (m == nullptr || call.poisoned) break;
      add(What::received, call).op = m->operation;
      break;
    }
    case CallRole::complete: {
      if (!w.blocking) break;
      Act& a = add(What::awaited, call);
      a.blocking = true;
      name_active(process, call);
      a.parts = parts_;
      break;
    }
    case CallRole::start:
      begin(process, call, false);
      break;
    case CallRole::ready:
      mark_ready(process, call);
      break;
    case CallRole::cancel:
    case CallRole::free:
      name(process, call);
      add(w.role == CallRole::free ? What::freed : What::cancelled, call).parts = parts_;
      break;
    default:
      break;
  }
  return acts();
}

// Returning ---------------------------------------------------------------------------
[[gnu::always_inline]] inline void ActReader::leave_post(const Process& process, const Call& call,
                                                         const Event& leave, const Words& w) {
  const int error = leave.error_class();
  const bool took = process.took(error);
  if (error == 0 && (!w.blocking || call.poisoned))
    describe(add_left(w.persistent ? What::prepared : What::posted, call, leave), process,
             call.enter(), w);
  if (!w.blocking && took) return;
  Act& a = add_left(took ? What::returned : What::withdrawn, call, leave);
  describe_call(a, call.enter(), w);
  if (a.told && w.status >= 0) std::memcpy(&a.status, leave.words() + w.status, sizeof(a.status));
}

std::span<const Act> ActReader::leave(const Process& process, const Call& call,
                                      const Event& leave) {
  count_ = 0;
  const Words& w = words_[static_cast<std::size_t>(call.proc())];
  const bool ok = leave.error_class() == 0;
  switch (w.role) {
    case CallRole::post:
      leave_post(process, call, leave, w);
      break;
    case CallRole::probe:
    case CallRole::mprobe:
      leave_probe(process, call, leave, w);
      break;
    case CallRole::mrecv: {
      const Message* m = process.messages.find(call.enter().handle(call.info().at.message));
      if (m != nullptr && call.poisoned && process.took(leave.error_class()))
        add_left(What::received, call, leave).op = m->operation;
      break;
    }
    case CallRole::complete:
      leave_completion(process, call, leave);
      break;
    case CallRole::start:
      if (ok && call.poisoned) begin(process, call, true);
      if (ok) break;
      name(process, call);
      for (const NamedPart& part : parts_) {
        if (part.request->persistent && part.request->call == call.seq())
          add_left(What::withdrawn, call, leave).op = part.op;
      }
      break;
    case CallRole::cancel:
    case CallRole::free:
      if (!ok) break;
      name(process, call);
      add_left(w.role == CallRole::free ? What::freed : What::cancelled, call, leave).parts =
          parts_;
      break;
    default:
      break;
  }
  return acts();
}

void ActReader::leave_probe(const Process& process, const Call& call, const Event& leave,
                            const Words& w) {
  const int error = leave.error_class();
  const bool seen =
      error == 0 && (!w.polls || (leave.has_words() && leave.result(call.info().at.flag) != 0));
  const auto tell = [&](What what) {
    Act& a = add_left(what, call, leave);
    describe(a, process, call.enter(), w);
    if (seen && a.told) a.status = leave.result_status(call.info().at.status);
  };
  if (!seen) return tell(w.blocking || error != 0 ? What::withdrawn : What::asked);
  if (!w.blocking || call.poisoned) tell(What::posted);
  tell(What::returned);
}

// Completing --------------------------------------------------------------------------
bool ActReader::asked_in_vain(const Call& call, const Event& leave) {
  const CallParams& at = call.info().at;
  if (!asks(call.info()) || leave.error_class() != 0) return false;
  if (!leave.has_words()) return true;
  // MPI_Testsome says how many; MPI_UNDEFINED, that there was nothing to ask for, is negative.
  return at.flag >= 0 ? leave.result(at.flag) == 0 : leave.result(at.outcount) == 0;
}

void ActReader::leave_completion(const Process& process, const Call& call, const Event& leave) {
  const ProcInfo& about = call.info();
  const bool told = leave.has_words();
  const bool answered =
      about.at.flag >= 0 ? told && leave.result(about.at.flag) != 0 : !asked_in_vain(call, leave);
  if (!answered && leave.error_class() != 0) return;
  name_active(process, call);
  if (answered) {
    each_completed(process, call, leave,
                   [&](std::uint64_t place, const wire::Status* status, int error) {
                     NamedPart* part = part_at(place);
                     if (part == nullptr) return;
                     part->done = true;
                     part->error = error;
                     if (status != nullptr) part->status = *status;
                   });
  }
  Act& a = add_left(answered ? What::completed : What::asked, call, leave);
  a.blocking = about.has(kBlocking);
  a.polls = about.at.flag >= 0 || about.at.index >= 0;
  a.status_seen = call.enter().address(about.at.status) != wire::kIgnore;
  a.parts = parts_;
}

// They are in the order of their places; often all are there.
NamedPart* ActReader::part_at(std::uint64_t place) {
  if (place < parts_.size() && parts_[place].place == place) return &parts_[place];
  const auto found =
      std::lower_bound(parts_.begin(), parts_.end(), place,
                       [](const NamedPart& part, std::uint64_t at) { return part.place < at; });
  return found == parts_.end() || found->place != place ? nullptr : &*found;
}

}  // namespace vouch
