#include "analysis/thread/thread_use.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace vouch {
namespace {

// Misses: two threads that wait for one request of a longer array, unless a call is held back.
constexpr std::uint64_t kWaitingKept = 64;

const char* verb(Share::Use use) {
  return use == Share::Use::completes ? "completes"
         : use == Share::Use::starts  ? "starts"
                                      : "frees";
}

std::uint64_t requests_in(const Call& call, const Share& share) {
  const bool array = call.info().params[static_cast<std::size_t>(share.request)].is_array();
  return array ? call.enter().array(share.request).size() : 1;
}

}  // namespace

ThreadUse::ThreadUse(World& world, Sink& sink) : Analysis(world, sink) {
  for (int p = 0; p < static_cast<int>(Proc::count_); ++p)
    shares_.push_back(share_of(static_cast<Proc>(p)));
}

Wants ThreadUse::wants(Proc proc) const {
  const Share& s = shares_[static_cast<std::size_t>(proc)];
  return {.enter = s.counts, .leave = s.probes || s.waits, .not_usual = true, .not_fine = true};
}

void ThreadUse::on_enter(Process& process, Call& call) {
  if (call.poisoned) return;
  if (process.phase == Phase::finalizing) [[unlikely]] {
    if (Call* finalize = finalize_of_another(process, call))
      return finalizes(process, *finalize, call);
  }
  if (process.held_calls > 0) {
    for (Thread& other : process.threads) {
      if (other.held == 0 || other.number == call.thread()) continue;
      Call* held = other.find(other.held);
      if (held != nullptr && share(*held).counts) compare(process, *held, call);
      if (call.poisoned) return;
    }
  }
  if (process.thread_level != Constant::thread_multiple) return;
  if (share(call).comm >= 0 && process.threads.size() > 1) mark_unordered(process, call);
  // A thread may probe before the second one makes its first call.
  if (share(call).source >= 0) check_probes(process, call);
  // One that is held back knows of threads that have not called MPI yet.
  if (share(call).waits && (process.threads.size() > 1 || call.held()))
    check_waiting(process, call);
}

void ThreadUse::on_leave(Process& process, Call& call, const Event& leave) {
  if (process.thread_level != Constant::thread_multiple) return;
  if (share(call).probes) probes_.leave(process, call, share(call), leave);
  if (!share(call).waits) return;
  auto& waiting = waiting_[process];
  if (waiting.empty() || requests_in(call, share(call)) > kWaitingKept) return;
  for_each_request(call, share(call), [&](std::uint64_t raw) {
    const auto found = waiting.find(raw);
    if (found != waiting.end() && found->second.seq == call.seq()) waiting.erase(found);
  });
}

// The shim looks for others inside at every call under MPI_THREAD_SERIALIZED, and at MPI_Finalize.
void ThreadUse::on_inside(Process& process, Call& call, Call& other) {
  if (!share(call).counts || !share(other).counts || call.broken) return;
  if (call.proc() == Proc::finalize) return finalizes(process, call, other);
  if (other.proc() == Proc::finalize) return finalizes(process, other, call);
  if (process.thread_level != Constant::thread_serialized ||
      known(process, other, call, Rule::thread_concurrent))
    return;
  both(process, other, call, Rule::thread_concurrent,
       fmt::format(
           "threads {} and {} are inside MPI at once, and MPI_THREAD_SERIALIZED was provided",
           other.thread(), call.thread()));
}

void ThreadUse::compare(Process& process, Call& held, Call& call) {
  if (held.proc() == Proc::finalize) return finalizes(process, held, call);
  if (call.proc() == Proc::finalize) return finalizes(process, call, held);
  if (process.thread_level != Constant::thread_multiple) return;  // on_inside tells
  const Share &first = share(held), &second = share(call);
  if (const Request* request = shared_request(process, held, first, call, second)) {
    if (known(process, held, call, Rule::thread_request, request->made)) return;
    both(process, held, call, Rule::thread_request,
         first.use == second.use
             ? fmt::format("threads {} and {} both {} one request, and nothing orders them",
                           held.thread(), call.thread(),
                           first.use == Share::Use::completes ? "complete"
                           : first.use == Share::Use::starts  ? "start"
                                                              : "free")
             : fmt::format("thread {} {} a request that thread {} {}, and nothing orders them",
                           held.thread(), verb(first.use), call.thread(), verb(second.use)),
         {made_place(process, *request)});
    return;
  }
  for (const auto& [frees, uses] : {std::pair{&held, &call}, std::pair{&call, &held}}) {
    const Object* object = freed_and_used(process, *frees, share(*frees), *uses);
    if (object == nullptr) continue;
    if (again(process, *frees, *uses, Rule::thread_request, object->made)) return;
    tell(process, *frees, *uses, Rule::thread_request,
         fmt::format("thread {} frees what thread {} uses, and nothing orders them",
                     frees->thread(), uses->thread()),
         {made_place(process, *object)});
    return;
  }
  if (same_order(process, held, first, call, second)) {
    if (known(process, held, call, Rule::thread_collective)) return;
    const Kind kind = call.info().params[static_cast<std::size_t>(second.ordered)].kind;
    both(process, held, call, Rule::thread_collective,
         fmt::format("threads {} and {} call collectives on one {}, and nothing orders them",
                     held.thread(), call.thread(),
                     kind == Kind::comm  ? "communicator"
                     : kind == Kind::win ? "window"
                                         : "file"));
    return;
  }
  check_order(process, held, call);
}

// Messages of one thread keep their order; those of two have none, unless something orders the
// threads. What a thread has probed is the business of race/probe.
void ThreadUse::check_order(Process& process, const Call& held, const Call& call) {
  const Share &first = share(held), &second = share(call);
  const bool sends = same_sends(held, first, call, second);
  const bool receives =
      !first.probes && !second.probes && same_receives(held, first, call, second) &&
      !probes_.waits(process, held.thread()) && !probes_.waits(process, call.thread());
  if (!sends && !receives) return;
  const bool swapped = call.site().value < held.site().value;
  const Call &a = swapped ? call : held, &b = swapped ? held : call;
  const Involved places[] = {{process.rank, a.site()}, {process.rank, b.site()}};
  if (sink_.again({Rule::race_order, info(Rule::race_order).severity, places})) return;
  Report report;
  report.rule = Rule::race_order;
  report.severity = info(report.rule).severity;
  report.message =
      sends ? "two threads send with the same envelope, and nothing orders them: either message "
              "may be "
              "received first"
            : "two threads may receive one message, and nothing orders them: either may get it";
  report.places = {place_of(process, a), place_of(process, b)};
  sink_.report(std::move(report));
}

// A call that is entered while another thread is in MPI_Finalize, whether that one was held back or
// not: records are in the order of entering, so nothing has ordered this call before it. A session
// that is alive has calls of its own.
Call* ThreadUse::finalize_of_another(Process& process, const Call& call) {
  if (process.live_sessions > 0) return nullptr;
  for (Thread& other : process.threads) {
    if (other.number == call.thread() || other.depth == 0) continue;
    if (other.calls[0].proc() == Proc::finalize) return &other.calls[0];
  }
  return nullptr;
}

void ThreadUse::finalizes(Process& process, Call& finalize, Call& other) {
  // What happens in one more call follows from the first one.
  if (finalize.broken) return spoil(other, Rule::thread_finalize);
  if (again(process, finalize, other, Rule::thread_finalize)) return;
  tell(process, finalize, other, Rule::thread_finalize,
       fmt::format("thread {} may still be inside MPI", other.thread()), {},
       Cause::finalize_inside);
}

// Two threads that wait for one request at the same time, whenever they came.
void ThreadUse::check_waiting(Process& process, Call& call) {
  if (requests_in(call, share(call)) > kWaitingKept) return;
  auto& waiting = waiting_[process];
  for_each_request(call, share(call), [&](std::uint64_t raw) {
    const Request* request = process.requests.find(raw);
    if (request == nullptr || !request->twins.empty() || request->poisoned) return;
    const auto [at, added] = waiting.try_emplace(raw, Waiter{call.thread(), call.seq()});
    if (added) return;
    const Waiter before = std::exchange(at->second, {call.thread(), call.seq()});
    if (before.thread == call.thread() || call.poisoned) return;
    Call* other = process.threads[static_cast<std::size_t>(before.thread)].find(before.seq);
    if (other == nullptr || !other->is_open ||
        known(process, *other, call, Rule::thread_request, request->made))
      return;
    both(process, *other, call, Rule::thread_request,
         fmt::format("threads {} and {} both complete one request at the same time", before.thread,
                     call.thread()),
         {made_place(process, *request)});
  });
}

// Matching takes calls for posted in the order in which they were entered. Those of two threads
// that are open together may have gone the other way.
void ThreadUse::mark_unordered(Process& process, Call& call) {
  for (Thread& other : process.threads) {
    if (other.depth == 0 || other.number == call.thread()) continue;
    Call& open = other.calls[static_cast<std::size_t>(other.depth) - 1];
    if (same_sends(open, share(open), call, share(call)) ||
        same_receives(open, share(open), call, share(call)))
      open.unordered = call.unordered = true;
  }
}

void ThreadUse::check_probes(Process& process, Call& call) {
  Probes::Race race;
  if (!probes_.enter(process, call, share(call), race)) return;
  const Involved places[] = {{process.rank, race.probe},
                             {process.rank, race.receive->site()},
                             {process.rank, call.site()}};
  if (sink_.again({Rule::race_probe, info(Rule::race_probe).severity, places})) return;
  Report report;
  report.rule = Rule::race_probe;
  report.severity = info(report.rule).severity;
  report.message = fmt::format("thread {} may receive the message that thread {} has probed",
                               call.thread(), race.thread);
  report.places = {{process.rank, race.probe, info(race.by).name, {}},
                   place_of(process, *race.receive, fmt::format("thread {}", race.thread)),
                   place_of(process, call, fmt::format("thread {}", call.thread()))};
  sink_.report(std::move(report));
}

// One finding for a pair of places, whichever of them came first.
void ThreadUse::both(Process& process, Call& a, Call& b, Rule rule, std::string message,
                     std::vector<Place> more) {
  const bool swapped = b.site().value < a.site().value;
  tell(process, swapped ? b : a, swapped ? a : b, rule, std::move(message), std::move(more));
}

// As both() and tell() say it: this is known, and only to be counted.
bool ThreadUse::known(Process& process, Call& a, Call& b, Rule rule, Site more) {
  const bool swapped = b.site().value < a.site().value;
  return again(process, swapped ? b : a, swapped ? a : b, rule, more);
}

bool ThreadUse::again(Process& process, Call& first, Call& second, Rule rule, Site more) {
  const Involved places[] = {
      {process.rank, first.site()}, {process.rank, second.site()}, {process.rank, more}};
  const std::size_t n = more.value != 0 ? 3 : 2;
  if (!sink_.again({.rule = rule,
                    .severity = info(rule).severity,
                    .places = std::span(places).first(n),
                    .involved = std::span(places).subspan(1, 1)}))
    return false;
  spoil(first, rule);
  spoil(second, rule);
  return true;
}

// What happens in the second call now may follow from it, too.
void ThreadUse::tell(Process& process, Call& first, Call& second, Rule rule, std::string message,
                     std::vector<Place> more, Cause why) {
  Report report;
  report.rule = rule;
  report.why = why;
  if (why != Cause::none) report.cause = info(why).key;
  report.severity = info(rule).severity;
  report.message = std::move(message);
  report.places = {place_of(process, first),
                   place_of(process, second, fmt::format("thread {}", second.thread()))};
  report.places.insert(report.places.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
  report.involved = {{process.rank, second.site()}};
  sink_.report(std::move(report));
  spoil(first, rule);
  spoil(second, rule);
}

}  // namespace vouch
