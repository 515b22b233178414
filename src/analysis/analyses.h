// The analyses of a run, and what some of them are besides: each is known by what it can do, and
// those that the agent has to talk to by their names.

#pragma once

#include <bitset>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "act/act.h"
#include "analysis/analysis.h"
#include "analysis/checks.h"
#include "analysis/damage.h"
#include "analysis/meta_listener.h"
#include "analysis/repeats.h"
#include "match/operation.h"

namespace vouch {

class DeadlockSearch;
class Io;
class PartConstructors;

using ProcSet = std::bitset<static_cast<std::size_t>(Proc::count_)>;

// An analysis that --checks leaves out, and what it would have looked at.
struct SwitchedOff {
  const CheckInfo* check = nullptr;
  ProcSet calls;
  bool claims = false;  // VOUCH_ASSERT
};

struct Analyses {
  std::vector<std::unique_ptr<Analysis>> in_order;  // of stages
  // The same objects.
  std::vector<MatchObserver*> observers;
  std::vector<ActListener*> act_listeners;
  std::vector<MetaListener*> listeners;
  std::vector<Repeats*> repeats;
  // nullptr: it is not among them.
  DeadlockSearch* deadlock = nullptr;
  PartConstructors* parts = nullptr;
  Io* io = nullptr;
  std::unique_ptr<Damage> damage = std::make_unique<Damage>();  // that all of them know
  std::vector<SwitchedOff> switched_off;
  bool looks_for_deadlocks =
      true;  // where `deadlock` is unheard nobody asks whether ranks are stuck
  // Some want other calls or acts than when they were asked.
  std::unique_ptr<bool> wants_changed = std::make_unique<bool>(false);

  template <class A, class... Arguments>
  A& add(Arguments&&... arguments) {
    auto made = std::make_unique<A>(std::forward<Arguments>(arguments)...);
    A& analysis = *made;
    if constexpr (std::is_base_of_v<MatchObserver, A>) observers.push_back(&analysis);
    if constexpr (std::is_base_of_v<ActListener, A>) act_listeners.push_back(&analysis);
    if constexpr (std::is_base_of_v<MetaListener, A>) listeners.push_back(&analysis);
    if constexpr (std::is_base_of_v<Repeats, A>) repeats.push_back(&analysis);
    if constexpr (requires { analysis.share(*damage); }) analysis.share(*damage);
    analysis.tell_wants(*wants_changed);
    // Of matches only those are told who have something to do then.
    if constexpr (std::is_base_of_v<MatchObserver, A>) {
      if constexpr (std::is_same_v<decltype(&A::on_match), decltype(&MatchObserver::on_match)>)
        analysis.hear(MatchObserver::Hears::none);
    }
    if constexpr (std::is_base_of_v<DeadlockSearch, A>) deadlock = &analysis;
    if constexpr (std::is_base_of_v<PartConstructors, A>) parts = &analysis;
    if constexpr (std::is_base_of_v<Io, A>) io = &analysis;
    in_order.push_back(std::move(made));
    return analysis;
  }
};

// All analyses of registry.def, in stage order.
Analyses make_analyses(World&, Sink&);
// Those of `checks`. `unheard`: where the others report that run all the same.
Analyses choose_analyses(World&, Sink&, const Checks& checks, Sink& unheard);

}  // namespace vouch
