// Datatypes that are used before MPI_Type_commit: the rule type/uncommitted as an analysis of its
// own.
//
// An example for CONTRIBUTING.md, with everything that a check consists of: it attaches to what the
// table says of procedures, asks the model about an object, and reports to a sink. vouch itself
// finds more of these (src/analysis/argument/types.cc).
//
// Misses: arrays of datatypes (MPI_Alltoallw), target types of one-sided calls, and arguments that
// mean nothing on some ranks (MPI_Gather, MPI_Bcast on an inter-communicator).

#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace vouch {

class Uncommitted : public Analysis {
 public:
  Uncommitted(World& world, Sink& sink);
  Wants wants(Proc proc) const override { return {.enter = !buffers(proc).empty()}; }
  void on_enter(Process&, Call&) override;

 private:
  // Parameters of a procedure that name memory whose layout is a datatype.
  const std::vector<int>& buffers(Proc proc) const {
    return buffers_[static_cast<std::size_t>(proc)];
  }
  std::vector<std::vector<int>> buffers_;  // by Proc
};

}  // namespace vouch
