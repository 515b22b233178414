#include "model/effect.h"

#include <array>

namespace vouch {
namespace {

bool starts(const ProcInfo& info, std::string_view prefix) {
  return std::string_view(info.name).starts_with(prefix);
}

// Which of comm, datatype, win, file, session an attribute or error handler procedure is about.
Kind subject_of(const ProcInfo& info) {
  if (starts(info, "MPI_Type_")) return Kind::datatype;
  if (starts(info, "MPI_Win_")) return Kind::win;
  if (starts(info, "MPI_File_")) return Kind::file;
  if (starts(info, "MPI_Session_")) return Kind::session;
  return Kind::comm;
}

// Life cycle
void init(const Returned& r) {
  if (!r.ok()) return;
  r.process.phase = Phase::running;
  r.process.init_site = r.call.site();
  r.process.init_call = r.call.proc();
  const int required = r.param(Arg::required);
  r.process.requested_level =
      required < 0 ? Constant::thread_single
                   : r.process.constant_of(Kind::thread_level, r.enter.handle(required));
  const std::int64_t provided = r.output(Kind::thread_level, 0);
  if (provided != 0) {
    r.process.thread_level =
        r.process.constant_of(Kind::thread_level, static_cast<std::uint64_t>(provided));
  }
  for (Thread& t : r.process.threads) t.main = t.number == r.call.thread();
}

void finalize(const Returned& r) {
  r.process.phase = r.ok() ? Phase::finalized : Phase::running;
  if (r.ok()) r.process.finalize_site = r.call.site();
}

void session_init(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  if (born(r, r.process.sessions, Kind::session,
           static_cast<std::uint64_t>(r.output(Kind::session, 0))) != nullptr) {
    ++r.process.live_sessions;
  }
}

void session_finalize(const Returned& r) {
  if (!r.ok()) return;
  const std::uint64_t raw = r.handle(Arg::session);
  if (r.process.sessions.find(raw) == nullptr) return;
  died(r, r.process.sessions, raw);
  --r.process.live_sessions;
}

// Info
bool* hint_of(Hints& info, std::string_view key) {
  if (key == "mpi_assert_no_any_tag") return &info.no_any_tag;
  if (key == "mpi_assert_no_any_source") return &info.no_any_source;
  if (key == "mpi_assert_exact_length") return &info.exact_length;
  if (key == "alloc_shared_noncontig") return &info.noncontiguous;
  if (key == "accumulate_ordering") return &info.unordered_updates;
  if (key == "accumulate_ops") return &info.same_operation;
  if (key == "no_locks") return &info.no_locks;
  if (key == "same_size") return &info.same_size;
  if (key == "same_disp_unit") return &info.same_unit;
  return nullptr;
}

// MPI-4.1 12.7.2: the default is rar,raw,war,waw.
bool hint_value(std::string_view key, std::string_view value) {
  if (key == "accumulate_ops") return value == "same_op";
  if (key != "accumulate_ordering") return value == "true";
  for (const char* order : {"rar", "raw", "war", "waw"}) {
    if (value.find(order) == std::string_view::npos) return true;
  }
  return false;
}

void info_set(const Returned& r) {
  Info* info = r.ok() ? r.process.infos.find(r.handle(Arg::info)) : nullptr;
  if (info == nullptr) return;
  const std::string_view key = r.enter.array(r.param(Arg::key)).text();
  bool* hint = hint_of(*info, key);
  if (hint != nullptr)
    *hint = r.call.proc() == Proc::info_set &&
            hint_value(key, r.enter.array(r.param(Arg::value)).text());
}

void info_dup(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  Hints hints;
  if (const Info* from = r.process.infos.find(r.handle(Arg::info))) hints = *from;
  if (Info* info = born(r, r.process.infos, Kind::info,
                        static_cast<std::uint64_t>(r.output(Kind::info, 0)))) {
    static_cast<Hints&>(*info) = hints;
  }
}

// Messages
void probe_message(const Returned& r) {
  if (!r.ok() || r.leave == nullptr || r.output(Kind::flag, 1) == 0) return;
  Message* m = born(r, r.process.messages, Kind::message,
                    static_cast<std::uint64_t>(r.output(Kind::message, 0)));
  if (m == nullptr) return;
  m->comm = r.handle(Arg::comm);
  m->operation = operation_key(r.call.seq());
  const int status = r.param(Arg::status);
  if (status >= 0 && r.info().params[static_cast<std::size_t>(status)].leave_word >= 0) {
    const wire::Status s = r.leave->result_status(status);
    m->source = s.source;
    m->tag = s.tag;
    m->no_proc = s.source == -2;
  }
}

void receive_message(const Returned& r) {
  const int p = r.param(Arg::message);
  const std::uint64_t before = r.enter.handle(p);
  // Also a receive that failed may have taken the message: then the handle is null. MPICH leaves it
  // as it was when the message was too long, which consumes it all the same.
  const bool taken =
      r.leave == nullptr ||
      r.process.is_null(Kind::message, static_cast<std::uint64_t>(r.leave->result(p))) ||
      r.process.truncated(r.leave->error_class());
  if (r.ok() || taken) died(r, r.process.messages, before);
}

// The others, by kind
void make(const Returned& r, std::size_t index) {
  const Param& p = r.info().params[index];
  const auto raw = static_cast<std::uint64_t>(r.leave->result(static_cast<int>(index)));
  Process& process = r.process;
  switch (p.kind) {
    case Kind::op:
      if (Op* op = born(r, process.ops, p.kind, raw)) op->commutes = r.value(Arg::commute) != 0;
      break;
    case Kind::info:
      born(r, process.infos, p.kind, raw);
      break;
    case Kind::errhandler: {
      Errhandler* e = born(r, process.errhandlers, p.kind, raw, true);
      if (e == nullptr) break;
      e->of = subject_of(r.info());
      e->from_get = r.info().param(Arg::comm) >= 0 || r.info().param(Arg::win) >= 0 ||
                    r.info().param(Arg::file) >= 0 || r.info().param(Arg::session) >= 0;
      break;
    }
    case Kind::keyval:
      if (Keyval* k = born(r, process.keyvals, p.kind, raw)) k->of = subject_of(r.info());
      break;
    case Kind::win: {
      Window* w = born(r, process.windows, p.kind, raw);
      if (w == nullptr) break;
      w->flavour = r.call.proc();
      if (r.param(Arg::size) >= 0) w->bytes = r.value(Arg::size);
      if (r.param(Arg::disp_unit) >= 0) w->disp_unit = r.value(Arg::disp_unit);
      if (const Communicator* c = process.comms.find(r.handle(Arg::comm))) {
        w->comm_id = c->id;
        w->size = c->size;
        w->members = c->members;
      }
      if (const Info* info = process.infos.find(r.handle(Arg::info))) w->no_locks = info->no_locks;
      break;
    }
    default:
      break;
  }
}

void construct(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  const auto params = r.info().params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (params[p].dir == Dir::out && params[p].leave_word >= 0 && !params[p].is_array()) make(r, p);
  }
}

// An operation that is not complete, or another call that is open: what they use lives on (MPI-4.1
// 2.5.1).
bool something_pending(const Returned& r) {
  if (!r.process.requests.empty()) return true;
  for (const Thread& thread : r.process.threads) {
    if (thread.depth > (thread.number == r.call.thread() ? 1 : 0)) return true;
  }
  return false;
}

// A stale object to which a reference is left: that of the library, which may still pass its handle
// to the user's functions.
template <typename T>
void free_object(const Returned& r, Table<T>& table, std::uint64_t raw) {
  died(r, table, raw);
  const T* stale = table.stale(raw);
  if (stale != nullptr && something_pending(r)) const_cast<T*>(stale)->refs = 1;
}

void destroy(const Returned& r) {
  if (!r.ok()) return;
  const auto params = r.info().params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (params[p].shape != Shape::pointer_inout) continue;
    const std::uint64_t raw = r.enter.handle(static_cast<int>(p));
    switch (params[p].kind) {
      case Kind::comm:
        return free_object(r, r.process.comms, raw);
      case Kind::group:
        return free_object(r, r.process.groups, raw);
      case Kind::datatype:
        return free_object(r, r.process.datatypes, raw);
      case Kind::op:
        return free_object(r, r.process.ops, raw);
      case Kind::win:
        return free_object(r, r.process.windows, raw);
      case Kind::file:
        return free_object(r, r.process.files, raw);
      case Kind::keyval:
        return free_object(r, r.process.keyvals, raw);
      case Kind::errhandler:
        return free_object(r, r.process.errhandlers, raw);
      case Kind::info:
        return free_object(r, r.process.infos, raw);
      default:
        break;
    }
  }
}

Effect choose(Proc proc) {
  const ProcInfo& about = info(proc);
  switch (proc) {
    case Proc::init:
    case Proc::init_thread:
      return init;
    case Proc::finalize:
      return finalize;
    case Proc::session_init:
      return session_init;
    case Proc::session_finalize:
      return session_finalize;
    case Proc::info_set:
    case Proc::info_delete:
      return info_set;
    case Proc::info_dup:
      return info_dup;
    default:
      break;
  }
  if (about.family == Family::tool) return nullptr;
  for (const auto group : {file_effect, request_effect, comm_effect, group_effect, type_effect}) {
    if (const Effect effect = group(proc)) return effect;
  }
  if (about.first(Kind::message, Dir::inout) >= 0) return receive_message;
  if (about.first(Kind::message, Dir::out) >= 0) return probe_message;
  if (about.has(kDestructor)) return destroy;
  if (about.has(kConstructor)) return construct;
  return nullptr;
}

}  // namespace

std::vector<std::int64_t> Returned::list(Arg name) const {
  const ArrayView a = enter.array(param(name));
  std::vector<std::int64_t> result(a.size());
  for (std::uint64_t i = 0; i < a.size(); ++i) result[i] = a[i];
  return result;
}

std::int64_t Returned::output(Kind kind, std::int64_t otherwise) const {
  if (leave == nullptr) return otherwise;
  const auto params = info().params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (params[p].kind == kind && params[p].leave_word >= 0 && !params[p].is_array()) {
      return leave->result(static_cast<int>(p));
    }
  }
  return otherwise;
}

const Effect* effects() {
  static const auto table = [] {
    std::array<Effect, static_cast<std::size_t>(Proc::count_)> all{};
    for (std::size_t i = 1; i < all.size(); ++i) all[i] = choose(static_cast<Proc>(i));
    return all;
  }();
  return table.data();
}

}  // namespace vouch
