// Facts between ranks, found once for all analyses: docs/design/002-matching.md.

#pragma once

#include <functional>
#include <utility>

#include "match/clocks.h"
#include "match/p2p.h"
#include "match/wave.h"

namespace vouch {

class Facts {
 public:
  explicit Facts(World& world)
      : world_(world), clocks_(world), p2p_(world, clocks_), waves_(world) {
    waves_.observe(&clocks_);
  }
  void observe(MatchObserver* o) {
    p2p_.observe(o);
    waves_.observe(o);
    o->on_clocks(clocks_);
  }

  bool sees_enter(Proc proc) const { return p2p_.sees_enter(proc) || waves_.sees_enter(proc); }
  bool sees_leave(Proc proc) const {
    return p2p_.sees_leave(proc) || waves_.sees_leave(proc) || clocks_.sees(proc);
  }
  // After the analyses of the single call, before the model. `leave` may be a bare success (no
  // words).
  void enter(Process& process, Call& call) {
    process.communications += call.info().family != Family::io;  // what may order it with others
    if (p2p_.sees_enter(call.proc())) p2p_.enter(process, call);
    if (waves_.sees_enter(call.proc())) {
      clocks_.join(process, call);
      clocks_.joined(process, call, waves_.enter(process, call));
    }
  }
  void leave(Process& process, Call& call, const Event& leave) {
    process.communications += call.info().family != Family::io;  // what may order it with others
    if (p2p_.sees_leave(call.proc())) p2p_.leave(process, call, leave);
    if (waves_.sees_leave(call.proc())) {
      clocks_.left(process, call, leave);
      waves_.leave(process, call, leave);
    }
    if (clocks_.sees(call.proc())) clocks_.leave(process);
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
  World& world_;
  bool closed_ = false;
  Clocks clocks_;
  P2p p2p_;
  Waves waves_;
};

}  // namespace vouch
