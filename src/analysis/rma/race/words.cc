// What a finding says: who does what to which bytes, and why nothing orders it.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/rma/race/findings.h"
#include "base/count_words.h"

namespace vouch::rma {
namespace {

int rank_of(const World& world, std::uint32_t process) { return world.process(process).rank.value; }

std::string call_words(const Access& a) {
  switch (a.touch.what) {
    case Touches::load:
      return "load";
    case Touches::store:
      return "store";
    case Touches::atomic_load:
      return "atomic load";
    case Touches::atomic_store:
      return "atomic store";
    default:
      return info(a.proc).name;
  }
}

const char* verb(const Access& a) {
  if (a.touch.what == Touches::update && a.touch.op != Constant::no_op) return "updates";
  return writes(a.touch) ? "writes" : "reads";
}

Place place(const World& world, const Access& a) {
  std::string call = call_words(a);
  if (a.window != 0 && one_sided(a.touch.what)) call += fmt::format("(target_rank={})", a.target);
  return {world.process(a.by()).rank, a.site, std::move(call), {}};
}

std::string bytes_of(const World& world, const Access& a, const Access& b) {
  const std::int64_t lo = std::max(a.region.lo, b.region.lo),
                     hi = std::min(a.region.hi, b.region.hi);
  const bool exact = a.region.dense() && b.region.dense();
  // Two processes meet in a window only, at a target or by their own means.
  const bool of_window = a.by() != b.by() || at_target(a.touch.what) || at_target(b.touch.what);
  const Access& in = at_target(a.touch.what) || (a.window != 0 && !at_target(b.touch.what)) ? a : b;
  if (!of_window) {
    const std::int64_t from = lo - in.region.lo;
    if (!exact) return "bytes of its buffer";
    return hi - lo == 1 ? fmt::format("byte {} of its buffer", from)
                        : fmt::format("bytes {} to {} of its buffer", from, from + hi - lo - 1);
  }
  const std::string whose = fmt::format("of rank {}'s window", rank_of(world, in.space));
  if (hi - lo == 1) return fmt::format("byte {} {}", lo - in.base, whose);
  return fmt::format("{}bytes {} to {} {}", exact ? "" : "some of ", lo - in.base, hi - in.base - 1,
                     whose);
}

Cause cause_of_updates(const Access& a, const Access& b) {
  const bool types = a.touch.basic != b.touch.basic && a.touch.basic != Constant::none &&
                     b.touch.basic != Constant::none;
  return types ? Cause::race_types : Cause::race_operations;
}

// The other process knows that it has begun: they have synchronised, but it is not over by then.
bool told_too_early(const Access& a, const Access& other) {
  AccessEnd issue;
  issue.point.process = a.by();
  issue.point.number = a.issued;
  issue.tick = a.start.tick;
  return a.issued != 0 && behind(other.start, issue);
}

Cause cause_of(const Access& a, const Access& b) {
  const bool both_update = a.touch.what == Touches::update && b.touch.what == Touches::update;
  if (both_update && a.window != b.window) return Cause::race_two_windows;
  if (both_update && a.by() != b.by() && !together(a.touch, b.touch)) return cause_of_updates(a, b);
  if (both_update && a.one_operation && breaks_promise(a.touch, b.touch))
    return Cause::race_same_operation;
  if (both_update && a.by() != b.by()) return Cause::race_elements;
  if (a.by() == b.by()) {
    const Access& before = a.start.tick <= b.start.tick ? a : b;
    if (rule_of(a, b) == Rule::race_local) {
      if (one_sided(a.touch.what) && one_sided(b.touch.what) && a.call == b.call)
        return Cause::local_one_call;
      return !one_sided(before.touch.what) ? Cause::local_pending
             : writes(before.touch)        ? Cause::local_unfilled
                                           : Cause::local_reused;
    }
    return before.over_here ? Cause::race_only_local : Cause::race_incomplete;
  }
  const bool a_remote = at_target(a.touch.what), b_remote = at_target(b.touch.what);
  if (a_remote && b_remote) {
    if (a.window != b.window) return Cause::race_two_windows;
    if (a.exposure != nullptr || b.exposure != nullptr) return Cause::race_one_exposure;
    if (a.lock.window != 0 && b.lock.window != 0) return Cause::race_shared_lock;
    return Cause::race_one_epoch;
  }
  if (!a_remote && !b_remote) return Cause::race_shared_memory;
  const Access& remote = a_remote ? a : b;
  const Access& other = a_remote ? b : a;
  if (told_too_early(remote, other))
    return remote.over_here ? Cause::race_only_local : Cause::race_late;
  return remote.ends().there() ? Cause::race_untold : Cause::race_exposed;
}

// Why the order that is there does not do.
std::string why(const World& world, const Access& a, const Access& b) {
  const auto name = [&](const Access& x) {
    return fmt::format("rank {}'s {}", rank_of(world, x.by()), call_words(x));
  };
  if (a.by() == b.by()) {
    const Access& first = a.start.tick <= b.start.tick ? a : b;
    if (a.call == b.call && one_sided(a.touch.what) && one_sided(b.touch.what))
      return "both in one call";
    return fmt::format("the {} at {} is not complete by then", call_words(first),
                       mention(first.site));
  }
  const auto over = [&](const Access& x, const Access& other) -> std::string {
    const AccessEnd end = x.ends();
    if (one_sided(x.touch.what) && told_too_early(x, other)) {
      const std::string when = end.there()
                                   ? fmt::format("complete only at {} {}",
                                                 info(end.point.proc).name, mention(end.point.site))
                                   : std::string("never complete");
      return fmt::format("the two ranks synchronise in between, but {} is {}", name(x), when);
    }
    if (!one_sided(x.touch.what) || !end.there()) return {};
    const bool by_other = end.point.process != x.by();
    return fmt::format("{} is complete at {}{}, but nothing orders that before what rank {} does",
                       name(x),
                       by_other ? fmt::format("rank {}'s ", rank_of(world, end.point.process)) : "",
                       fmt::format("{} {}", info(end.point.proc).name, mention(end.point.site)),
                       rank_of(world, other.by()));
  };
  std::string text = over(a, b);
  if (text.empty()) text = over(b, a);
  if (text.empty()) text = fmt::format("nothing orders {} and {}", name(a), name(b));
  return text;
}

// What helps in the epochs at hand, where the cause alone does not say it: a flush is for locks, a
// fence for who has not locked. "": the cause does.
std::string advice_of(Cause cause, const Access& a, const Access& b) {
  const auto active = [](const Access& x) { return at_target(x.touch.what) && x.lock.window == 0; };
  const Access& first = a.start.tick <= b.start.tick ? a : b;
  const bool posted = a.exposure != nullptr || b.exposure != nullptr;
  switch (cause) {
    case Cause::race_incomplete:
      if (!active(first)) return {};
      return posted
                 ? "Complete the first one before the second: MPI_Win_complete, and MPI_Win_wait "
                   "at the target."
                 : "Complete the first one before the second by a fence.";
    case Cause::race_late:
      if (!active(a) && !active(b)) return {};
      return posted ? "Synchronise after MPI_Win_complete, and MPI_Win_wait at the target."
                    : "Complete it before the synchronisation by a fence.";
    case Cause::race_one_epoch:
      if (active(a) && active(b))
        return "Put a fence between them, or use accumulates of one operation.";
      return "Let both use fences, or both exclusive locks: a window is not locked while others "
             "access it by fence.";
    case Cause::race_untold:
      if (!active(a) && !active(b))
        return "Order them: after the flush or unlock by a message, a barrier, or an update that "
               "the other rank fetches.";
      return posted ? "Order them: after the MPI_Win_wait that ends the epoch."
                    : "Order them: after the fence that ends the epoch.";
    case Cause::local_reused:
    case Cause::local_unfilled:
      return "Wait for completion at the origin first: the end of the epoch; under a lock also "
             "MPI_Win_flush_local or the request.";
    default:
      return {};
  }
}

}  // namespace

Report report_of(const World& world, const Access& first, const Access& second) {
  const Rule rule = rule_of(first, second);
  const Cause cause = cause_of(first, second);
  Report r;
  r.rule = rule;
  r.severity = info(rule).severity;
  r.cause = info(cause).key;
  r.why = cause;
  r.advice = advice_of(cause, first, second);
  const std::string bytes = bytes_of(world, first, second);
  if (first.by() == second.by()) {
    r.message = fmt::format("it {} {}, which {} {}; {}", verb(first), bytes, call_words(second),
                            verb(second), why(world, first, second));
  } else {
    r.message = fmt::format("it {} {}, which rank {} {} by {}; {}", verb(first), bytes,
                            rank_of(world, second.by()), verb(second), call_words(second),
                            why(world, first, second));
  }
  r.places = {place(world, first), place(world, second)};
  return r;
}

}  // namespace vouch::rma
