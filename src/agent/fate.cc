#include "agent/fate.h"

#include <algorithm>
#include <csignal>
#include <iterator>

#include <fmt/format.h>

#include "analysis/analysis.h"

namespace vouch {
namespace {

const Call* open_call(const Thread& t) {
  return t.depth > 0 ? &t.calls[static_cast<std::size_t>(t.depth) - 1] : nullptr;
}

// A launcher ends its ranks by these; one that is gone itself by the pipe that it leaves behind.
bool from_launcher(int signal) {
  return signal == SIGTERM || signal == SIGKILL || signal == SIGINT || signal == SIGHUP ||
         signal == SIGPIPE;
}

// With this status Open MPI ends a process, from a thread of its own, whose daemon is gone:
// PMIX_ERR_LOST_CONNECTION, -61, as the system keeps it.
constexpr int kLostDaemon = 195;

// Calls that another process takes part in.
bool communicates(const Call& call) {
  switch (call.info().family) {
    case Family::p2p:
    case Family::probe:
    case Family::completion:
    case Family::partitioned:
    case Family::collective:
    case Family::neighbour:
    case Family::rma:
      return true;
    default:
      return false;
  }
}

// The library has ended it, because its launcher is gone, or inside a call that nothing is wrong
// with, and its error names nothing that a program can do wrong: so end processes whose peer has
// vanished. Both libraries exit with
// an error code whose low bits are the class.
bool gave_up(const Process& process, int exit_status) {
  if ((exit_status & 0xff) == kLostDaemon) return true;
  const Constant error =
      process.constant_of(Kind::error_class, static_cast<std::uint64_t>(exit_status & 0x7f));
  constexpr Constant kOfConnections[] = {Constant::err_other, Constant::err_intern,
                                         Constant::err_unknown, Constant::err_proc_aborted,
                                         Constant::x_err_proc_failed};
  if (exit_status != 1 && std::find(std::begin(kOfConnections), std::end(kOfConnections), error) ==
                              std::end(kOfConnections))
    return false;
  for (const Thread& t : process.threads) {
    const Call* call = open_call(t);
    if (call != nullptr && communicates(*call) && !call->broken) return true;
  }
  return false;
}

}  // namespace

std::string name_of(const Process& process) {
  return process.rank.value >= 0 ? fmt::format("rank {}", process.rank.value)
                                 : fmt::format("process {}", process.pid);
}

bool outside_mpi(const Process& process) {
  return process.live_sessions == 0 &&
         (process.phase == Phase::before_init || process.phase == Phase::finalized);
}

Deaths::Death death_of(const Process& process, End told, int exit_status, int signal) {
  bool aborting = process.aborted, inside = false;
  for (const Thread& t : process.threads) {
    const Call* call = open_call(t);
    inside = inside || call != nullptr;
    aborting = aborting || (call != nullptr && call->proc() == Proc::abort);
  }
  Deaths::Death death{process.index, told, true, false};
  if (aborting) return death;
  death.silent = (told == End::killed && signal == 0) ||
                 ((told == End::killed || told == End::signalled) && from_launcher(signal));
  death.unknown = told == End::killed && signal == 0;
  death.signal = signal;
  death.outside_mpi = !inside;
  if (told == End::exited) {
    death.finalized = outside_mpi(process) && process.phase == Phase::finalized;
    const bool within = process.phase == Phase::running || process.phase == Phase::finalizing;
    death.abnormal = within || exit_status != 0;
    death.gave_up = within && exit_status != 0 && gave_up(process, exit_status);
  }
  return death;
}

NotChecked last_seen(const Process& process, const std::string& when) {
  const Call* last = nullptr;
  const Call* open = nullptr;
  for (const Thread& t : process.threads) {
    if (open == nullptr) open = open_call(t);
    if (last == nullptr && !t.calls.empty()) last = &t.calls[0];
  }
  NotChecked note{name_of(process), {}, 1, {}, {}};
  if (const Call* call = open != nullptr ? open : last) {
    note.site = call->site();
    note.reason = fmt::format("it was {} {} {}", open != nullptr ? "in" : "after",
                              place_of(process, *call).call, when);
  } else {
    note.reason = fmt::format("it had made no MPI call {}", when);
  }
  return note;
}

NotChecked unseen_end(const Process& process, int exit_status) {
  NotChecked note = last_seen(process, "when it was seen last");
  note.reason = (exit_status < 0 ? std::string("it ended in a way that nobody reports")
                                 : fmt::format("it exited with status {}", exit_status)) +
                " and its last calls are not known: " + note.reason;
  return note;
}

NotChecked gone_on(const Process& process) {
  return {name_of(process),
          "it went on without vouch: it replaced its program or closed all its files",
          1,
          {},
          {}};
}

}  // namespace vouch
