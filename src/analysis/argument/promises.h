// Promises that only the pair of a message shows broken: mpi_assert_exact_length (MPI-4.1 7.4.4).
//
// A wildcard that was promised away is seen in the single call (check_promises). That order does
// not matter, mpi_assert_allow_overtaking, is nothing that one run could show to be untrue.

#pragma once

#include "analysis/analysis.h"
#include "match/operation.h"

namespace vouch {

class Promises : public Analysis, public MatchObserver {
 public:
  Promises(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override { return {}; }
  void on_match(const Match&) override;
};

}  // namespace vouch
