// Of whom a member of a communicator with a topology gets something in a neighbourhood collective
// (MPI-4.1 8.6).

#pragma once

#include <vector>

#include "match/wave.h"

namespace vouch {

struct NeighbourSource {
  int rank = 0;
  // Of what the member receives; -1: not known which, as after MPI_Dist_graph_create.
  int block = -1;
};

// False: the neighbours are not known.
bool sources_of(const Assembly&, int me, std::vector<NeighbourSource>& sources);

}  // namespace vouch
