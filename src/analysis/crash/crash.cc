#include "analysis/crash/crash.h"

#include <signal.h>
#include <string.h>

#include <algorithm>

#include <fmt/format.h>

namespace vouch {
namespace {

// A program that gives up does so within a few calls of the error (MPI_Error_string, MPI_Comm_rank
// …).
constexpr std::uint32_t kReaction = 16;

// Errors that programs expect and handle [U67], and calls whose codes are no MPI error
// codes.
bool errors_are_expected(Proc proc) {
  switch (info(proc).family) {
    case Family::io:
    case Family::tool:
      return true;
    default:
      break;
  }
  return info(proc).is(Trait::may_fail);
}

std::string signal_words(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number)
                         : fmt::format("signal {} (SIG{})", number, name);
}

// Signals with which launchers, batch systems and people end a process.
bool from_outside(int number) {
  return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP ||
         number == SIGQUIT;
}

std::string error_name(const Process& process, int error) {
  const Constant constant =
      process.constant_of(Kind::error_class, static_cast<std::uint64_t>(error));
  return constant == Constant::none ? fmt::format("error class {}", error) : info(constant).name;
}

// Both libraries exit with an error code whose low bits are the class (Open MPI: all of it, MPICH:
// seven).
std::string fatal_error(const Process& process) {
  const int error = process.exit_status & 0x7f;
  // Both end with 1, too, where something inside them has failed: that is no class.
  if (process.exit_status == 1 ||
      process.constant_of(Kind::error_class, static_cast<std::uint64_t>(error)) == Constant::none)
    return fmt::format("exit status {}", process.exit_status);
  return fmt::format("exit status {}: {}", process.exit_status, error_name(process, error));
}

// The call whose finding spoiled a request of this one; unknown if there is none.
Site blamed(const Process& process, const Call& call) {
  const Event enter = call.enter();
  const auto of = [&](std::uint64_t raw) {
    const Request* request = process.requests.find(raw);
    return request != nullptr ? request->blamed : Site{};
  };
  for (int i = 0; i < static_cast<int>(call.info().params.size()); ++i) {
    const Param& p = call.info().params[static_cast<std::size_t>(i)];
    if (p.kind != Kind::request || p.dir == Dir::out) continue;
    if (!p.is_array()) return of(enter.handle(i));
    const ArrayView handles = enter.array(i);
    for (std::uint64_t k = 0; k < handles.size(); ++k) {
      if (const Site site = of(static_cast<std::uint64_t>(handles[k])); site.value != 0)
        return site;
    }
  }
  return {};
}

// "later the MPI library stopped the job in MPI_Bcast at a.c:12".
std::string later_end(const Process& process, const Call* call, Rule rule,
                      const std::string& message) {
  const std::string at = call == nullptr ? "" : fmt::format(" at {}", mention(call->site()));
  return rule == Rule::crash_mpi_error && call != nullptr
             ? fmt::format("later the MPI library stopped rank {} in {}{}", process.rank.value,
                           call->info().name, at)
             : fmt::format("later rank {} ended: {}{}", process.rank.value, message, at);
}

// Where the operation that a call completes was posted; of a call on several requests not known.
Site posted(const Process& process, const Call& call) {
  const int p = call.info().family == Family::completion ? call.info().param(Arg::request) : -1;
  const Request* request = p < 0 ? nullptr : process.requests.find(call.enter().handle(p));
  return request != nullptr ? request->made : call.site();
}

}  // namespace

Wants Crash::wants(Proc proc) const {
  return {.enter = false,
          .leave = !info(proc).has(kNoErrorCode) && info(proc).family != Family::tool,
          .not_fine = true};
}

void Crash::on_leave(Process& process, Call& call, const Event& leave) {
  const int error = leave.error_class();
  if (error == 0) return;
  const Failed failed{call.site(), call.proc(), call.seq(),
                      error,       call.broken, posted(process, call)};
  Errors& mine = errors_[process];
  mine.last = failed;
  if (call.harms.has(Harm::failure) || errors_are_expected(call.proc())) return;
  if (blamed(process, call).value != 0) return;
  const Constant name = process.constant_of(Kind::error_class, static_cast<std::uint64_t>(error));
  // The statuses tell which operation failed and how; the call itself did what it should.
  if (name == Constant::err_in_status || name == Constant::err_pending) return;
  Returned& returned = mine.returned[{call.site(), error}];
  if (returned.count++ == 0) returned.first = failed;
}

void Crash::on_end(Process& process) { ended_.push_back(process.index); }

Crash::Last Crash::last_call(const Process& process) {
  Last last;
  std::uint32_t newest = 0;
  for (const Thread& thread : process.threads) {
    if (thread.depth > 0) {
      const Call& open = thread.calls[static_cast<std::size_t>(thread.depth - 1)];
      if (open.proc() == Proc::abort) return {&open, true};
    }
  }
  for (const Thread& thread : process.threads) {
    if (thread.calls.empty()) continue;
    const bool is_ender = thread.number == process.end_thread;
    if (process.end_thread >= 0 && !is_ender) continue;
    const Call& call = thread.calls[static_cast<std::size_t>(std::max(thread.depth - 1, 0))];
    // Unknown which thread it was: one that is inside a call, else the newest call.
    const bool inside = thread.depth > 0;
    if (last.call == nullptr || (inside && !last.inside) ||
        (inside == last.inside && call.seq() > newest)) {
      last = {&call, inside};
      newest = call.seq();
    }
  }
  return last;
}

Crash::How Crash::how(const Process& process) {
  // MPI_Abort does not return, whoever ends the process in the end: also if the launcher dies of
  // it.
  const Last last = last_call(process);
  if (last.inside && last.call->proc() == Proc::abort) return How::abort;
  if (process.killed_from_outside) return How::killed;
  switch (process.end) {
    case End::signalled:
    case End::killed:
      if (process.signal == 0 || from_outside(process.signal)) return How::killed;
      return process.signal == SIGABRT && !last.inside ? How::assert : How::signal;
    case End::exited:
      // Status 0 without MPI_Finalize is lifecycle/no-finalize.
      if (process.exit_status == 0) return How::orderly;
      if (last.inside) return How::mpi_error;
      return process.phase == Phase::running || process.live_sessions > 0 ? How::exit
                                                                          : How::orderly;
    default:
      return How::orderly;
  }
}

void Crash::finish() {
  std::vector<How> hows;
  bool own_fault = false;  // of the program, not of the library or from outside
  bool explained = false;  // some rank failed by itself: those killed were ended because of it
  for (const std::size_t index : ended_) {
    const How h = how(world_.process(index));
    hows.push_back(h);
    explained = explained || (h != How::orderly && h != How::killed);
    own_fault = own_fault || (h != How::orderly && h != How::killed && h != How::mpi_error);
  }

  std::vector<int> victims, culprits;
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    const Process& process = world_.process(ended_[i]);
    const How h = hows[i];
    if (h == How::orderly) continue;
    // A library gives up when its peers vanish: the peer that failed by itself is the cause.
    const bool follows = h == How::mpi_error && own_fault && !last_call(process).call->broken;
    const bool killed = h == How::killed && (explained || process.killed_from_outside);
    if (follows || killed) {
      // Those that the agent knows to be ended from outside it names itself, with their last calls.
      if (!process.killed_from_outside) victims.push_back(process.rank.value);
      continue;
    }
    culprits.push_back(process.rank.value);
    tell(process, h);
    explained = true;  // nobody failed by itself: the first to vanish is the cause of the rest
  }
  if (!victims.empty()) {
    const std::string after =
        culprits.empty() ? "" : fmt::format(" after {} failed", rank_words(culprits));
    sink_.not_checked(
        {.what = rank_words(victims),
         .reason = fmt::format("ended from outside{}; what was open then is not judged", after),
         .count = victims.size()});
  }
  returned_errors();
}

void Crash::tell(const Process& process, How h) {
  const Last last = last_call(process);
  const std::string at = last.call == nullptr ? "before any MPI call"
                                              : fmt::format("{} {}", last.inside ? "in" : "after",
                                                            last.call->info().name);
  const char* role = last.inside ? "" : "last MPI call";
  switch (h) {
    case How::signal:
      return tell_error(process, Rule::crash_signal, Severity::error,
                        fmt::format("{} {}", signal_words(process.signal), at), last, role);
    case How::assert:
      return tell_error(process, Rule::crash_assert, Severity::error,
                        fmt::format("{} {}", signal_words(process.signal), at), last, role);
    case How::killed:
      return tell_error(process, Rule::crash_signal, Severity::error,
                        process.signal != 0 ? fmt::format("{} {}", signal_words(process.signal), at)
                                            : fmt::format("killed by a signal {}", at),
                        last, role);
    case How::mpi_error:
      return tell_error(
          process, Rule::crash_mpi_error, Severity::error,
          fmt::format("the MPI library stopped the job here ({})", fatal_error(process)), last,
          role);
    case How::exit:
      return tell_error(process, Rule::crash_exit, Severity::error,
                        fmt::format("exit({}) without MPI_Finalize, {}", process.exit_status, at),
                        last, role);
    case How::abort: {
      const std::int64_t code = last.call->enter().value(last.call->info().param(Arg::errorcode));
      return tell_error(process, Rule::crash_abort, code == 0 ? Severity::warning : Severity::error,
                        fmt::format("MPI_Abort with code {}", code), last, "");
    }
    case How::orderly:
      return;
  }
}

// It died inside MPI, where libraries read a sender's memory and use what its peers hold, and the
// memory of another process is not what it should be.
bool Crash::follows_damage_elsewhere(const Process& process, const std::string& text) {
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& other = world_.process(i);
    const Site call = damage().at(other);
    if (&other != &process && call.value != 0 &&
        sink_.consequence(other.rank, call, Harm::damage, text))
      return true;
  }
  return false;
}

void Crash::tell_error(const Process& process, Rule rule, Severity severity, std::string message,
                       const Last& last, std::string role) {
  // What the library did in a call that has a finding follows from it; so does what it does later
  // with a request of such a call.
  const Site cause_site = last.call == nullptr || !last.inside ? Site{}
                          : last.call->broken                  ? last.call->site()
                                                               : blamed(process, *last.call);
  if (cause_site.value != 0 &&
      sink_.consequence(
          process.rank, cause_site, Harm::failure,
          rule == Rule::crash_mpi_error
              ? last.call->broken
                    ? "the MPI library stopped the job here"
                    : fmt::format("the MPI library stopped the job in {}", last.call->info().name)
              : fmt::format("rank {} ended: {}", process.rank.value, message)))
    return;
  const bool by_damage =
      rule == Rule::crash_signal || rule == Rule::crash_assert || rule == Rule::crash_mpi_error;
  if (by_damage && damage().at(process).value != 0 &&
      sink_.consequence(process.rank, damage().at(process), Harm::damage,
                        later_end(process, last.call, rule, message)))
    return;
  if (by_damage && last.inside &&
      follows_damage_elsewhere(process, later_end(process, last.call, rule, message)))
    return;

  std::vector<Place> places;
  if (last.call != nullptr) places.push_back(place_of(process, *last.call, std::move(role)));
  if (last.call == nullptr && process.signal_site.value == 0 && process.rank.value >= 0)
    places.push_back({process.rank, Site{}, "", "no MPI call yet"});
  if (process.signal_site.value != 0)
    places.push_back({process.rank, process.signal_site, "", "signal raised here"});

  if (rule == Rule::crash_abort || rule == Rule::crash_exit) {
    // The program gives up because a call returned an error: that error is the cause.
    Errors& mine = errors_[process];
    const Failed& failed = mine.last;
    if (failed.proc != Proc::none && last.call != nullptr &&
        last.call->seq() - failed.seq <= kReaction) {
      if (failed.broken &&
          sink_.consequence(process.rank, failed.site, Harm::failure,
                            fmt::format("rank {} gave up: {}", process.rank.value, message)))
        return;
      const auto returned = mine.returned.find({failed.site, failed.error});
      if (returned != mine.returned.end()) {
        message += fmt::format("; {} returned {}", info(failed.proc).name,
                               error_name(process, failed.error));
        places.push_back(
            {process.rank, failed.site, info(failed.proc).name, "error returned here"});
        if (--returned->second.count == 0) mine.returned.erase(returned);
      }
    }
  }
  std::string cause = rule == Rule::crash_signal || rule == Rule::crash_assert
                          ? std::to_string(process.signal)
                          : std::string();
  sink_.report({.rule = rule,
                .severity = severity,
                .message = std::move(message),
                .cause = std::move(cause),
                .places = std::move(places)});
}

void Crash::returned_errors() {
  for (const std::size_t index : ended_) {
    const Process& process = world_.process(index);
    for (const auto& [key, returned] : errors_[process].returned) {
      // Which message was too long is type/truncation's to say, if both sides were seen; why a
      // collective failed may be that the ranks disagreed.
      const bool truncated = process.truncated(key.second);
      if ((truncated || info(returned.first.proc).has(kCollective)) &&
          sink_.consequence(
              process.rank, returned.first.posted, Harm::failure,
              fmt::format("{} returned {}, the program went on", info(returned.first.proc).name,
                          error_name(process, key.second))))
        continue;
      if (damage().at(process).value != 0 && info(returned.first.proc).has(kCollective) &&
          sink_.consequence(
              process.rank, damage().at(process), Harm::damage,
              fmt::format("later {} at {} returned {}", info(returned.first.proc).name,
                          mention(returned.first.site), error_name(process, key.second))))
        continue;
      sink_.report(
          {.rule = Rule::crash_error_return,
           .severity = info(Rule::crash_error_return).severity,
           .message = returned.count == 1
                          ? fmt::format("{} returned, the program went on",
                                        error_name(process, key.second))
                          : fmt::format("{} returned {} times, the program went on",
                                        error_name(process, key.second), returned.count),
           .cause = error_name(process, key.second),
           .places = {{process.rank, returned.first.site, info(returned.first.proc).name, ""}}});
    }
  }
}

}  // namespace vouch
