// Facts between ranks, found once for all analyses: docs/design/002-matching.md.
//
// What a call does is read here, once for all who consume acts (docs/design/014-acts.md): when the
// analyses of the single call have spoken, since what they found decides what the call counts for.

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "act/act.h"
#include "match/clocks.h"
#include "match/exposure.h"
#include "match/p2p.h"
#include "match/shared_window.h"
#include "match/wave.h"

namespace vouch {

class Facts {
 public:
  explicit Facts(World& world)
      : world_(world),
        clocks_(world),
        p2p_(world, clocks_),
        waves_(world),
        windows_(world),
        exposures_(clocks_, windows_) {
    waves_.observe(&clocks_);
    for (std::size_t i = 1; i < plans_.size(); ++i) {
      const Proc proc = static_cast<Proc>(i);
      Plan& p = plans_[i];
      p.p2p = {p2p_.sees_enter(proc), p2p_.sees_leave(proc)};
      p.waves = {waves_.sees_enter(proc), waves_.sees_leave(proc)};
      p.clocks = clocks_.sees(proc);
      p.windows = SharedWindows::sees(proc);
      p.exposures = {Exposures::sees_enter(proc), Exposures::sees_leave(proc)};
      const bool orders = info(proc).family != Family::io;
      p.counts = {orders && (p.p2p.enter || p.waves.enter),
                  orders && (p.p2p.leave || p.waves.leave || p.clocks)};
      p.others = {p.windows || p.exposures.enter || p.waves.enter,
                  p.windows || p.exposures.leave || p.waves.leave || p.clocks};
    }
    ask_listeners();
  }
  void observe(MatchObserver* o) {
    p2p_.observe(o);
    waves_.observe(o);
    o->on_clocks(clocks_);
    o->on_windows(windows_, exposures_);
  }
  void listen(ActListener* listener) {
    VOUCH_CHECK(listeners_.size() < 8);
    listeners_.push_back(listener);
    ask_listeners();
  }
  // Some of them may want other acts than before.
  void ask_listeners() {
    for (std::size_t i = 1; i < plans_.size(); ++i) {
      const Proc proc = static_cast<Proc>(i);
      Plan& p = plans_[i];
      p.acts = ActReader::sees(info(proc).role) ? p.p2p : Sees{};
      p.enter_listeners = p.leave_listeners = 0;
      for (std::size_t at = 0; at < listeners_.size(); ++at) {
        const ActListener::WantsActs wants = listeners_[at]->wants_acts(proc);
        const auto bit = static_cast<std::uint8_t>(1u << at);
        if (wants.enter) p.enter_listeners |= bit;
        if (wants.leave) p.leave_listeners |= bit;
        p.acts = {p.acts.enter || wants.enter, p.acts.leave || wants.leave};
      }
    }
  }

  bool sees_enter(Proc proc) const {
    const Plan& p = plan(proc);
    return p.p2p.enter || p.waves.enter || p.acts.enter || p.windows || p.exposures.enter;
  }
  bool sees_leave(Proc proc) const {
    const Plan& p = plan(proc);
    return p.p2p.leave || p.waves.leave || p.acts.leave || p.clocks || p.windows ||
           p.exposures.leave;
  }
  // After the analyses of the single call, before the model. `leave` may be a bare success (no
  // words).
  void enter(Process& process, Call& call) {
    const Plan& p = plan(call.proc());
    std::span<const Act> acts;
    if (p.acts.enter) acts = reader_.enter(process, call);
    for (unsigned left = p.enter_listeners; left != 0; left &= left - 1)
      listeners_[static_cast<std::size_t>(std::countr_zero(left))]->on_enter_acts(process, call,
                                                                                  acts);
    process.communications += p.counts.enter;
    if (p.p2p.enter) p2p_.enter(process, call, acts);
    if (p.others.enter) enter_others(process, call, p);
  }
  void leave(Process& process, Call& call, const Event& leave) {
    const Plan& p = plan(call.proc());
    std::span<const Act> acts;
    if (p.acts.leave) acts = reader_.leave(process, call, leave);
    for (unsigned left = p.leave_listeners; left != 0; left &= left - 1)
      listeners_[static_cast<std::size_t>(std::countr_zero(left))]->on_leave_acts(process, call,
                                                                                  leave, acts);
    process.communications += p.counts.leave;
    if (p.p2p.leave) p2p_.leave(process, call, leave, acts);
    if (p.others.leave) leave_others(process, call, leave, p);
  }
  void decided(Process& process, int thread, const Event& meta) {
    p2p_.decided(process, thread, meta);
  }
  // Some ranks are stuck for good: what they have called so far is all they will.
  void tell_waiting(const std::vector<int>& ranks) { waves_.tell_waiting(ranks); }
  // All processes are gone: what was left open is concluded and told. Before Analysis::finish. With
  // several agents all close() first.
  void close() {
    if (std::exchange(closed_, true)) return;
    p2p_.close();
    exposures_.close();
    waves_.send_open(nullptr);
  }
  void finish() {
    close();
    p2p_.settle();
    waves_.finish();
  }
  // Several agents.
  void spread(RemoteSends* sends, RemoteWaves* waves, RemoteMoments* moments,
              std::function<int(const Members&)> home) {
    p2p_.mailroom().pass_on(world_, sends);
    waves_.spread(waves, std::move(home));
    clocks_.spread(*moments);
  }
  // No message and no collective is under way.
  bool at_rest() const { return p2p_.mailroom().in_flight() == 0 && waves_.in_flight() == 0; }
  Mailroom& mailroom() { return p2p_.mailroom(); }
  Waves& all_waves() { return waves_; }

  const P2p& p2p() const { return p2p_; }
  const Waves& waves() const { return waves_; }
  const Clocks& clocks() const { return clocks_; }
  Clocks& clocks() { return clocks_; }

 private:
  using Sees = ActListener::WantsActs;
  // Who has to see a procedure.
  struct Plan {
    Sees p2p, waves, acts;
    Sees counts;  // it may order the process with others
    bool clocks = false, windows = false;
    Sees exposures;
    Sees others;                                            // anybody but p2p
    std::uint8_t enter_listeners = 0, leave_listeners = 0;  // bits, by listener
  };
  const Plan& plan(Proc proc) const { return plans_[static_cast<std::size_t>(proc)]; }
  void enter_others(Process& process, Call& call, const Plan& p) {
    if (p.windows) windows_.enter(process, call);
    if (p.exposures.enter) exposures_.enter(process, call);
    if (p.waves.enter) {
      clocks_.join(process, call);
      clocks_.joined(process, call, waves_.enter(process, call));
    }
  }
  void leave_others(Process& process, Call& call, const Event& leave, const Plan& p) {
    if (p.waves.leave) {
      clocks_.left(process, call, leave);
      waves_.leave(process, call, leave);
    }
    if (p.clocks) clocks_.leave(process, call.proc());
    if (p.windows) windows_.leave(process, call, leave);
    if (p.exposures.leave) exposures_.leave(process, call, leave);
  }

  World& world_;
  bool closed_ = false;
  Clocks clocks_;
  P2p p2p_;
  Waves waves_;
  SharedWindows windows_;
  Exposures exposures_;
  ActReader reader_;
  std::vector<ActListener*> listeners_;
  std::array<Plan, static_cast<std::size_t>(Proc::count_)> plans_{};
};

}  // namespace vouch
