#include "analysis/lifecycle/lifecycle.h"

#include <fmt/format.h>

#include <charconv>

namespace vouch {
namespace {

bool starts_mpi(Proc proc) { return proc == Proc::init || proc == Proc::init_thread; }

// Answers outside Init..Finalize that every library gives, though the standard does not promise it.
bool harmless_outside(const ProcInfo& proc) { return info(proc.base).is(Trait::harmless); }

// Callable at any time already before MPI-4.0 [U39].
bool anytime_before_mpi4(const ProcInfo& proc) {
  return info(proc.base).is(Trait::always) || starts_mpi(proc.base) || proc.base == Proc::abort ||
         proc.family == Family::tool || proc.family == Family::environment;
}

// A library that implements MPI-3. Open MPI 4 and 5 do, MPICH did up to 3.4.
bool is_mpi3(const Process& process) {
  if (process.has(Constant::version)) return process.raw_of(Constant::version) < 4;
  return false;
}

bool knows_thread(const Process& process, int thread) {
  return thread >= 0 && static_cast<std::size_t>(thread) < process.threads.size();
}

int level(Constant constant) {
  switch (constant) {
    case Constant::thread_single:
      return 0;
    case Constant::thread_funneled:
      return 1;
    case Constant::thread_serialized:
      return 2;
    case Constant::thread_multiple:
      return 3;
    default:
      return -1;
  }
}

// Moves data or waits for it: what a callback must not do.
bool communicates(const ProcInfo& proc) {
  if (proc.has(kNonblocking) || proc.has(kCollective)) return true;
  switch (proc.family) {
    case Family::p2p:
    case Family::probe:
    case Family::completion:
    case Family::partitioned:
    case Family::collective:
    case Family::neighbour:
    case Family::rma:
    case Family::dynamic:
      return proc.has(kBlocking) || proc.has(kPoll) || proc.family == Family::rma;
    default:
      return false;
  }
}

Place place_at(const Process& process, Site site, const char* call, std::string role) {
  return {process.rank, site, call, std::move(role)};
}

}  // namespace

Lifecycle::Lifecycle(World& world, Sink& sink) : Analysis(world, sink) {}

Wants Lifecycle::wants(Proc proc) const {
  Wants wants;
  wants.enter = proc != Proc::none;
  // What on_enter() takes for usual.
  wants.not_usual = !sessions_.any() && info(proc).family != Family::lifecycle &&
                    !info(proc).has(kDeprecated | kRemoved);
  wants.leave = info(proc).has(kConstructor) || proc == Proc::session_finalize;
  return wants;
}

void Lifecycle::on_enter(Process& process, Call& call) {
  const ProcInfo& proc = call.info();
  const bool usual = process.phase == Phase::running && process.threads.size() <= 1 &&
                     (call.enter().flags() & wire::kFlagCallback) == 0 &&
                     !sessions_.used(process) && proc.family != Family::lifecycle &&
                     !proc.has(kDeprecated | kRemoved);
  if (usual) return;
  if (proc.has(kDeprecated | kRemoved)) check_name(process, call);
  check_phase(process, call);
  if (call.poisoned) return;
  check_thread(process, call);
  if (call.poisoned) return;
  if (call.proc() == Proc::finalize) check_single(process);
  if ((call.enter().flags() & wire::kFlagCallback) != 0) check_callback(process, call);
  if (call.poisoned) return;
  if (sessions_.used(process)) check_sessions(process, call);
}

void Lifecycle::on_leave(Process& process, Call& call, const Event& leave) {
  const bool some = sessions_.any();
  sessions_.learn(process, call, leave);
  if (!some && sessions_.any()) want_again();
}

void Lifecycle::check_phase(Process& process, Call& call) {
  const Proc proc = call.proc();
  if (starts_mpi(proc) && process.phase != Phase::before_init) {
    if (again(process, call, Cause::init_again, {process.init_site})) return;
    const char* first = process.init_call == Proc::none ? "MPI_Init" : info(process.init_call).name;
    report(process, call, Cause::init_again,
           fmt::format("MPI was already initialized by {}", first),
           {place_at(process, process.init_site, first, "first call")});
    return;
  }
  if (proc == Proc::finalize &&
      (process.phase == Phase::finalized || process.phase == Phase::finalizing)) {
    // Inside its own callbacks, too, Finalize has already begun.
    if (again(process, call, Cause::finalize_again, {process.finalize_site})) return;
    report(process, call, Cause::finalize_again, "MPI was already finalized",
           {place_at(process, process.finalize_site, "MPI_Finalize", "first call")});
    return;
  }
  if (process.phase == Phase::before_init || process.phase == Phase::finalized)
    check_outside(process, call);
}

// No world is running.
void Lifecycle::check_outside(Process& process, Call& call) {
  const ProcInfo& proc = call.info();
  if (call.proc() == Proc::abort || proc.family == Family::tool || starts_mpi(call.proc())) return;
  if (process.live_sessions > 0 && call.proc() != Proc::finalize) return;
  const bool before = process.phase == Phase::before_init;
  const Rule rule = before ? Rule::lifecycle_before_init : Rule::lifecycle_after_finalize;
  Severity severity = info(rule).severity;
  const char* note = "";
  if (proc.has(kAnytime)) {
    if (anytime_before_mpi4(proc) || !is_mpi3(process)) return;
    severity = Severity::info;
    note = "; allowed since MPI-4.0, which this library does not implement";
  } else if (harmless_outside(proc)) {
    severity = Severity::info;
    note = "; libraries allow it, the standard does not promise it";
  }
  if (severity == Severity::info && !first_at(process, call)) return;
  if (before ? again(process, call, rule, severity)
             : again(process, call, rule, severity, "", {process.finalize_site}))
    return;
  std::string message =
      fmt::format("{} {}{}", proc.name, before ? "before MPI_Init" : "after MPI_Finalize", note);
  std::vector<Place> more;
  if (!before)
    more.push_back(place_at(process, process.finalize_site, "MPI_Finalize", "finalized here"));
  report(process, call, rule, severity, std::move(message), "", std::move(more));
}

// MPI-4.1 11.6.1, MPI_THREAD_SINGLE: only one thread will execute. No library minds another one
// that leaves MPI alone, and most do not even notice.
void Lifecycle::check_single(const Process& process) {
  if (!process.threaded || process.threads.size() > 1 || process.init_site.value == 0 ||
      process.thread_level != Constant::thread_single)
    return;
  Report report;
  report.rule = Rule::thread_level;
  report.severity = Severity::info;
  report.message =
      "the program has other threads, and MPI_THREAD_SINGLE says that there are none: "
      "MPI_THREAD_FUNNELED is the level for threads that do not call MPI";
  report.why = Cause::thread_single;
  report.places = {place_at(process, process.init_site, info(process.init_call).name, "")};
  sink_.report(std::move(report));
}

void Lifecycle::check_thread(Process& process, Call& call) {
  if (process.threads.size() <= 1 || process.phase == Phase::before_init) return;
  const ProcInfo& proc = call.info();
  if (!knows_thread(process, call.thread())) return;
  const Thread& thread = process.threads[static_cast<std::size_t>(call.thread())];
  if (thread.main) return;
  bool main_known = false;
  for (const Thread& other : process.threads) main_known |= other.main;
  if (!main_known) return;  // initialized where it was not seen, or sessions only
  const int provided = level(process.thread_level);
  const int requested = process.requested_level == Constant::none
                            ? 0
                            : level(process.requested_level);  // MPI_Init asks for SINGLE
  if (proc.has(kAnytime) || call.proc() == Proc::is_thread_main ||
      call.proc() == Proc::query_thread)
    return;
  if (call.proc() == Proc::finalize) {
    report(process, call, Cause::finalize_thread,
           fmt::format("thread {} finalizes, but another thread initialized MPI", thread.number),
           {place_at(process, process.init_site,
                     process.init_call == Proc::none ? "" : info(process.init_call).name,
                     "initialized here")});
    return;
  }
  if (provided < 0) return;
  if (provided < 2 &&
      again(process, call, Rule::thread_level,
            harmless_outside(proc) ? Severity::warning : info(Rule::thread_level).severity, "",
            {process.init_site}))
    return;
  const std::vector<Place> more{place_at(
      process, process.init_site,
      process.init_call == Proc::none ? "" : info(process.init_call).name, "initialized here")};
  if (provided < 2) {
    // By the letter the clock is MPI, too; no library minds who reads it.
    report(process, call, Rule::thread_level,
           harmless_outside(proc) ? Severity::warning : info(Rule::thread_level).severity,
           fmt::format("thread {} is not the main thread, and only {} was provided", thread.number,
                       info(process.thread_level).name),
           "", more);
  } else if (requested >= 0 && requested < 2) {
    if (!first_at(process, call)) return;
    report(process, call, Rule::thread_level, Severity::warning,
           fmt::format(
               "thread {} is not the main thread; only {} was asked for, though {} was provided",
               thread.number,
               process.requested_level == Constant::none ? "MPI_THREAD_SINGLE"
                                                         : info(process.requested_level).name,
               info(process.thread_level).name),
           "", more);
  }
}

// MPI-4.1 6.9.5: a user's reduction function must not communicate. Of all callbacks it is the only
// one of which the standard says so: attribute copy and delete functions (7.7), error handlers
// (9.3) and the functions of generalized requests (13.2) may.
void Lifecycle::check_callback(Process& process, Call& call) {
  if (!communicates(call.info()) || !knows_thread(process, call.thread())) return;
  const Thread& thread = process.threads[static_cast<std::size_t>(call.thread())];
  if (thread.depth < 2 || thread.calls.size() < 2) return;
  const Call& outer = thread.calls[static_cast<std::size_t>(thread.depth) - 2];
  const ProcInfo& around = outer.info();
  const int op = around.first(Kind::op, Dir::in);
  if (op < 0 || around.family == Family::rma) return;
  const Op* user = process.ops.find(outer.enter().handle(op));
  if (!user || user->predefined() ||
      again(process, call, Rule::lifecycle_callback, "", {outer.site()}))
    return;
  report(process, call, Rule::lifecycle_callback,
         fmt::format("communicates inside the user-defined operation called by {}", around.name),
         "", {place_of(process, outer, "inside this call")});
}

void Lifecycle::check_sessions(Process& process, Call& call) {
  const ProcInfo& proc = call.info();
  if (proc.has(kDestructor) || proc.family == Family::conversion) return;
  std::optional<Sessions::Owner> first;
  int first_param = -1;
  for (int i = 0; i < static_cast<int>(proc.params.size()); ++i) {
    const std::optional<Sessions::Owner> owner = sessions_.owner_of(process, call, i);
    if (!owner) continue;
    const char* name = proc.params[static_cast<std::size_t>(i)].name;
    if (!owner->live) {
      if (again(process, call, Cause::session_over, {owner->closed, owner->opened})) return;
      report(process, call, Cause::session_over,
             fmt::format("{} belongs to a session that was finalized", name),
             {place_at(process, owner->closed, "MPI_Session_finalize", "finalized here"),
              place_at(process, owner->opened, "MPI_Session_init", "opened here")});
      return;
    }
    if (!first) {
      first = owner;
      first_param = i;
    } else if (first->number != owner->number) {
      const bool both = first->number > 0 && owner->number > 0;
      const Site opened = first->number > 0 ? first->opened : owner->opened;
      if (both ? again(process, call, Rule::lifecycle_session, name, {opened, owner->opened})
               : again(process, call, Rule::lifecycle_session, name, {opened}))
        return;
      std::vector<Place> more;
      for (const Sessions::Owner& o : {*first, *owner}) {
        if (o.number > 0)
          more.push_back(place_at(process, o.opened, "MPI_Session_init", "opened here"));
      }
      report(process, call, Rule::lifecycle_session,
             fmt::format(
                 "{} and {} belong to different sessions{}",
                 proc.params[static_cast<std::size_t>(first_param)].name, name,
                 first->number == 0 || owner->number == 0 ? " (one to the world of MPI_Init)" : ""),
             name, std::move(more));
      return;
    }
  }
}

void Lifecycle::check_name(Process& process, Call& call) {
  const auto proc = static_cast<std::size_t>(call.proc());
  if (named_[proc]) return;
  named_[proc] = true;
  const ProcInfo& about = call.info();
  report(process, call, Rule::lifecycle_deprecated,
         fmt::format("{} is {}; its successor is {}", about.name,
                     about.has(kRemoved) ? "no longer part of MPI" : "deprecated", about.note),
         about.name);
}

bool Lifecycle::first_at(const Process& process, const Call& call) {
  return told_
      .insert((std::uint64_t{call.site().value} << 32) | static_cast<std::uint32_t>(process.index))
      .second;
}

void Lifecycle::on_end(Process& process) {
  if (process.end != End::exited || process.exit_status != 0 || process.aborted ||
      process.killed_from_outside)
    return;
  if (process.phase != Phase::running) return;
  Report report;
  report.rule = Rule::lifecycle_no_finalize;
  report.severity = info(report.rule).severity;
  report.message = "ended with status 0, but never called MPI_Finalize";
  // The last call is the nearest thing to the line where it ended.
  for (const Thread& thread : process.threads) {
    if (!thread.main || thread.calls.empty()) continue;
    report.places.push_back(place_of(process, thread.calls.front(), "last MPI call"));
  }
  report.places.push_back(
      place_at(process, process.init_site,
               process.init_call == Proc::none ? "MPI_Init" : info(process.init_call).name,
               "initialized here"));
  sink_.report(std::move(report));
}

}  // namespace vouch
