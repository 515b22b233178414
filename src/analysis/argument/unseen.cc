#include "analysis/argument/unseen.h"

#include <fmt/format.h>

#include "analysis/argument/check.h"

namespace vouch {
namespace {

bool is_handle(Kind kind) {
  switch (kind) {
    case Kind::comm:
    case Kind::group:
    case Kind::datatype:
    case Kind::op:
    case Kind::win:
    case Kind::file:
    case Kind::info:
    case Kind::errhandler:
    case Kind::keyval:
    case Kind::session:
    case Kind::request:
    case Kind::message:
      return true;
    default:
      return false;
  }
}

// Whether an error of this class says that a handle of this kind is none. Where MPI-4.1 9.4 has no
// class for a kind, libraries answer with MPI_ERR_ARG; Open MPI knows no MPI_ERR_KEYVAL.
bool refuses(Constant error, Kind kind) {
  switch (kind) {
    case Kind::comm:
      return error == Constant::err_comm;
    case Kind::group:
      return error == Constant::err_group;
    case Kind::datatype:
      return error == Constant::err_type;
    case Kind::op:
      return error == Constant::err_op;
    case Kind::win:
      return error == Constant::err_win;
    case Kind::file:
      return error == Constant::err_file;
    case Kind::request:
    case Kind::message:
      return error == Constant::err_request;
    case Kind::info:
      return error == Constant::err_info || error == Constant::err_arg;
    case Kind::session:
      return error == Constant::err_session || error == Constant::err_arg;
    case Kind::errhandler:
      return error == Constant::err_arg;
    case Kind::keyval:
      return error == Constant::err_keyval || error == Constant::err_arg ||
             error == Constant::err_other;
    default:
      return false;
  }
}

Cause cause_of(Kind kind) {
  if (kind == Kind::request) return Cause::request_invalid;
  if (kind == Kind::message) return Cause::message_invalid;
  return invalid_handle(kind);
}

// No object of this kind ever had the handle.
bool is_unseen(const Process& process, Kind kind, std::uint64_t raw) {
  if (raw == 0 && process.library == wire::Library::openmpi) return false;  // said already
  if (raw == wire::kInsignificant || process.is_null(kind, raw) ||
      process.constant_of(kind, raw) != Constant::none)
    return false;
  switch (kind) {
    case Kind::comm:
      return !process.comms.knows(raw);
    case Kind::group:
      return !process.groups.knows(raw);
    case Kind::datatype:
      return !process.datatypes.knows(raw);
    case Kind::op:
      return !process.ops.knows(raw);
    case Kind::win:
      return !process.windows.knows(raw);
    case Kind::file:
      return !process.files.knows(raw);
    case Kind::info:
      return !process.infos.knows(raw);
    case Kind::errhandler:
      return !process.errhandlers.knows(raw);
    case Kind::keyval:
      return !process.keyvals.knows(raw);
    case Kind::session:
      return !process.sessions.knows(raw);
    case Kind::request:
      return !process.requests.knows(raw);
    case Kind::message:
      return !process.messages.knows(raw);
    default:
      return false;
  }
}

// The library has not refused the handle, but broken down over it. MPICH ends with 1 where a check
// of itself fails ("Internal error"): that is no error class.
bool failed_inside(const Process& process) {
  return process.end == End::signalled || (process.end == End::exited && process.exit_status == 1 &&
                                           process.library == wire::Library::mpich);
}

template <typename F>
void for_each_unseen(const Process& process, const Call& call, F&& f) {
  const Event enter = call.enter();
  for (int i = 0; i < static_cast<int>(call.info().params.size()); ++i) {
    const Param& p = call.info().params[static_cast<std::size_t>(i)];
    if (!is_handle(p.kind) || p.dir == Dir::out || p.enter_word < 0) continue;
    if (!p.is_array()) {
      if (is_unseen(process, p.kind, enter.handle(i))) f(p, enter.handle(i));
      continue;
    }
    const ArrayView handles = enter.array(i);
    for (std::uint64_t k = 0; k < handles.size(); ++k) {
      const auto raw = static_cast<std::uint64_t>(handles[k]);
      if (!is_unseen(process, p.kind, raw)) continue;
      f(p, raw);
      break;
    }
  }
}

}  // namespace

Wants UnseenHandles::wants(Proc proc) const {
  Wants wants;
  wants.not_fine = true;
  for (const Param& p : info(proc).params)
    wants.leave = wants.leave || (is_handle(p.kind) && p.dir != Dir::out);
  return wants;
}

void UnseenHandles::on_leave(Process& process, Call& call, const Event& leave) {
  const int error = leave.error_class();
  if ((error == 0 || !refused(process, call, error)) && call.unseen != 0) not_settled(call);
}

// Inside a call that has not returned: the error handler that ends the process exits with the
// error's code, whose low bits are its class.
void UnseenHandles::on_end(Process& process) {
  for (Thread& thread : process.threads) {
    for (int i = 0; i < thread.depth; ++i) {
      Call& call = thread.calls[static_cast<std::size_t>(i)];
      const bool last = i + 1 == thread.depth && !process.killed_from_outside &&
                        (process.end_thread < 0 || process.end_thread == thread.number);
      const bool settled = last && ((process.end == End::exited && process.exit_status > 1 &&
                                     refused(process, call, process.exit_status & 0x7f)) ||
                                    (failed_inside(process) && crashed(process, call)));
      if (!settled && call.unseen != 0) not_settled(call);
    }
  }
}

void UnseenHandles::not_settled(const Call& call) {
  const ProcInfo& about = call.info();
  for (std::size_t i = 0; i < about.params.size(); ++i) {
    if ((call.unseen >> (i & 63) & 1) == 0) continue;
    switch (about.params[i].kind) {
      case Kind::request:
        sink_.not_checked({"MPI_Request", "a request whose making was not seen", 1, call.site()});
        break;
      case Kind::message:
        sink_.not_checked({"MPI_Message", "a message whose matching was not seen", 1, call.site()});
        break;
      default:
        sink_.not_checked({about.name,
                           fmt::format("the {} it was given was made where vouch could not see it",
                                       about.params[i].name),
                           1});
    }
  }
}

bool UnseenHandles::refused(Process& process, Call& call, int error_class) {
  if (call.poisoned) return false;
  const Constant error =
      process.constant_of(Kind::error_class, static_cast<std::uint64_t>(error_class));
  if (error == Constant::none) return false;
  bool found = false;
  for_each_unseen(process, call, [&](const Param& p, std::uint64_t raw) {
    if (!refuses(error, p.kind)) return;
    found = true;
    if (again(process, call, cause_of(p.kind))) return;
    report(process, call, cause_of(p.kind),
           fmt::format("{} is not a valid handle: no call made it, and the MPI library answers {}",
                       p.name, info(error).name),
           {}, fmt::format("{} {:#x}", kind_name(p.kind), raw));
  });
  return found;
}

bool UnseenHandles::crashed(Process& process, Call& call) {
  if (call.poisoned) return false;
  bool found = false;
  for_each_unseen(process, call, [&](const Param& p, std::uint64_t raw) {
    found = true;
    report(process, call, cause_of(p.kind),
           fmt::format("{} is not a valid handle: no call made it, and the MPI library {}", p.name,
                       process.end == End::signalled ? "crashed" : "failed inside"),
           {}, fmt::format("{} {:#x}", kind_name(p.kind), raw));
  });
  return found;
}

}  // namespace vouch
