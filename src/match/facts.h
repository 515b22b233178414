// Facts between ranks, found once for all analyses: docs/design/002-matching.md.

#pragma once

#include "match/clocks.h"
#include "match/p2p.h"
#include "match/wave.h"

namespace vouch {

class Facts {
 public:
  explicit Facts(World& world) : clocks_(world), p2p_(world, clocks_), waves_(world) {
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
  // Some ranks are stuck for good: what they have called so far is all they will.
  void tell_waiting(const std::vector<int>& ranks) { waves_.tell_waiting(ranks); }
  // All processes are gone: what was left open is concluded and told. Before Analysis::finish.
  void finish() {
    p2p_.finish();
    waves_.finish();
  }

  const P2p& p2p() const { return p2p_; }
  const Waves& waves() const { return waves_; }
  const Clocks& clocks() const { return clocks_; }

 private:
  Clocks clocks_;
  P2p p2p_;
  Waves waves_;
};

}  // namespace vouch
