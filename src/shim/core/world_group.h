// Which process of the world each member of a communicator is.

#pragma once

#include "shim/core/lib.h"

namespace vouch::shim {

enum class Side : bool { local, remote };

// Fills `ranks` (and uses as many ints behind it) with the ranks in the world of the members of one
// of its groups; -1: outside this world. False if there is no world to compare with.
bool world_ranks(MPI_Comm comm, Side side, int size, int* ranks);

}  // namespace vouch::shim
