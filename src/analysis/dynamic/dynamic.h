// Connections to other worlds that are left open [U66].

#pragma once

#include "analysis/analysis.h"

namespace vouch {

class Dynamic : public Analysis {
 public:
  Dynamic(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc proc) const override {
    return {.enter = proc == Proc::comm_disconnect, .leave = proc == Proc::finalize};
  }
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
};

}  // namespace vouch
