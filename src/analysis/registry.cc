// The analyses of registry.def, made in the order of stages.

#include <type_traits>

#include "analysis/analyses.h"
#include "analysis/argument/argument.h"
#include "analysis/argument/promises.h"
#include "analysis/argument/unseen.h"
#include "analysis/assertion/assertion.h"
#include "analysis/buffer/buffer.h"
#include "analysis/collective/collective.h"
#include "analysis/collective/parts.h"
#include "analysis/crash/crash.h"
#include "analysis/deadlock/deadlock.h"
#include "analysis/dynamic/dynamic.h"
#include "analysis/io/io.h"
#include "analysis/leak/leak.h"
#include "analysis/lifecycle/lifecycle.h"
#include "analysis/race/race.h"
#include "analysis/request/request.h"
#include "analysis/rma/race/races.h"
#include "analysis/rma/rma.h"
#include "analysis/thread/thread_use.h"
#include "analysis/type/type_match.h"
#include "analysis/unmatched/unmatched.h"

namespace vouch {
namespace {

// What an analysis is told of.
template <class A>
ProcSet calls_of(const A& analysis) {
  // Of matches, if it has something to do then.
  constexpr bool kMatches = [] {
    if constexpr (std::is_base_of_v<MatchObserver, A>)
      return !std::is_same_v<decltype(&A::on_match), decltype(&MatchObserver::on_match)>;
    return false;
  }();
  ProcSet calls;
  for (std::size_t p = 1; p < calls.size(); ++p) {
    const Proc proc = static_cast<Proc>(p);
    const Wants wants = analysis.wants(proc);
    bool told = wants.enter || wants.leave || (kMatches && info(proc).family == Family::p2p);
    if constexpr (std::is_base_of_v<ActListener, A>) {
      const ActListener::WantsActs acts = analysis.wants_acts(proc);
      told = told || acts.enter || acts.leave;
    }
    calls.set(p, told);
  }
  return calls;
}

// What there was for it to look at: MPI_Finalize, which every program calls, is nothing by itself
// to an analysis of other calls.
template <class A>
void leave_out(Analyses& all, World& world, Sink& unheard, const CheckInfo& check) {
  const A alone(world, unheard);
  ProcSet calls = calls_of(alone);
  if (calls.count() > 1) calls.reset(static_cast<std::size_t>(Proc::finalize));
  all.switched_off.push_back({&check, calls, std::is_same_v<A, Assertion>});
  if (check.off == WhenOff::unheard) all.add<A>(world, unheard);
  if constexpr (std::is_same_v<A, DeadlockSearch>) all.looks_for_deadlocks = false;
}

}  // namespace

Analyses make_analyses(World& world, Sink& sink) {
  return choose_analyses(world, sink, Checks(), sink);
}

Analyses choose_analyses(World& world, Sink& sink, const Checks& checks, Sink& unheard) {
  Analyses all;
  std::size_t check = 0;
#define VOUCH_ANALYSIS(type, ...)                              \
  if (checks.has(check))                                       \
    all.add<type>(world, sink);                                \
  else                                                         \
    leave_out<type>(all, world, unheard, all_checks()[check]); \
  ++check;
#include "analysis/registry.def"
#undef VOUCH_ANALYSIS
  return all;
}

}  // namespace vouch
