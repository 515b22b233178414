// When MPI may be called: between Init and Finalize, by the right thread, not inside a callback,
// one session at a time.
//
// The first stage of all [U51]. Nearly every call is a call of a running program by its
// only thread: that is told apart by a few comparisons, the rest by the functions below.

#pragma once

#include <bitset>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/lifecycle/sessions.h"

namespace vouch {

class Lifecycle : public Analysis {
 public:
  Lifecycle(World&, Sink&);
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_end(Process&) override;

 private:
  void check_phase(Process&, Call&);
  void check_outside(Process&, Call&);
  void check_thread(Process&, Call&);
  void check_single(const Process&);
  void check_callback(Process&, Call&);
  void check_sessions(Process&, Call&);
  void check_name(Process&, Call&);
  bool first_at(const Process&, const Call&);

  Sessions sessions_;
  std::bitset<static_cast<std::size_t>(Proc::count_)> named_;  // deprecated ones told of
  std::unordered_set<std::uint64_t> told_;  // (call, rank) of what is only information
};

}  // namespace vouch
