// Messages that nobody received.
//
// Judged only if every process went through MPI_Finalize: after an abnormal end nobody knows what
// would have been received. A receive that never met is a request that was never completed
// (leak/request), or a call that never returned.

#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "match/operation.h"

namespace vouch {

class Unmatched : public Analysis, public MatchObserver {
 public:
  Unmatched(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override { return {}; }
  void on_unmatched(const Operation&, const NearMiss&) override;
  void on_left_alone(std::uint64_t operations) override;

 private:
  bool orderly();  // every process of the world is known to have ended as it should

  enum class Ends : std::uint8_t { unknown, orderly, abnormal } ends_ = Ends::unknown;
  void partitioned(const Operation&);
};

}  // namespace vouch
