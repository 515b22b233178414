// Calls of two threads of one process that nothing orders (MPI-4.1 11.6).
//
// Locks, joins and flags of the program are not seen. Two things prove that nothing orders two
// calls: the shim found both inside MPI at once (on_inside), or one was entered while the other was
// held back and not yet passed on to the library (Thread::held). What is seen otherwise, one call
// after the other, says nothing, and then nothing is said.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/meta_listener.h"
#include "analysis/thread/conflict.h"
#include "analysis/thread/probes.h"
#include "model/per_process.h"

namespace vouch {

class ThreadUse : public Analysis, public MetaListener {
 public:
  ThreadUse(World&, Sink&);
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_inside(Process&, Call&, Call& other) override;

 private:
  const Share& share(const Call& call) const {
    return shares_[static_cast<std::size_t>(call.proc())];
  }
  // Nothing orders the two; the first was there before.
  void compare(Process&, Call& held, Call& call);
  void finalizes(Process&, Call& finalize, Call& other);
  static Call* finalize_of_another(Process&, const Call&);
  void check_order(Process&, const Call& held, const Call& call);
  void check_waiting(Process&, Call&);
  void check_probes(Process&, Call&);
  void mark_unordered(Process&, Call&);
  void both(Process&, Call&, Call&, Rule, std::string message, std::vector<Place> more = {});

  void tell(Process&, Call& first, Call& second, Rule, std::string message, std::vector<Place> more,
            Cause why = Cause::none);
  bool known(Process&, Call&, Call&, Rule, Site more = {});
  bool again(Process&, Call& first, Call& second, Rule, Site more = {});

  struct Waiter {
    int thread;
    std::uint32_t seq;
  };
  std::vector<Share> shares_;                                      // by Proc
  PerProcess<std::unordered_map<std::uint64_t, Waiter>> waiting_;  // request -> call
  Probes probes_;
};

}  // namespace vouch
