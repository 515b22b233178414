#include "agent/fate.h"

#include <csignal>

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
  bool aborting = process.aborted;
  for (const Thread& t : process.threads) {
    if (const Call* call = open_call(t)) aborting = aborting || call->proc() == Proc::abort;
  }
  Deaths::Death death{process.index, told, true, false};
  if (aborting) return death;
  death.silent = (told == End::killed && signal == 0) ||
                 ((told == End::killed || told == End::signalled) && from_launcher(signal));
  death.unknown = told == End::killed && signal == 0;
  if (told == End::exited) {
    const bool inside = process.phase == Phase::running || process.phase == Phase::finalizing;
    death.abnormal = inside || exit_status != 0;
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
