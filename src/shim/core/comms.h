// What the shim itself must know of communicators: how long their arrays are, and where I am in
// them.
//
// Filled when a communicator is born (then it is certainly valid); asked with whatever handle the
// user passes. An unknown handle is answered with nullptr, so that no query of the MPI library ever
// sees an invalid handle because of us.

#pragma once

#include <cstdint>

#include "shim/core/lib.h"

namespace vouch::shim {

struct CommFacts {
  std::uint64_t handle;  // 0: free
  std::int32_t size;     // of the local group; 0: freed
  std::int32_t rank;
  std::int32_t remote;  // size of the remote group; -1: intra-communicator
  std::int32_t topology;
  std::int32_t indegree, outdegree, dims;

  bool inter() const { return remote >= 0; }
  std::int32_t peers() const { return inter() ? remote : size; }  // length of [size] arrays
};

const CommFacts* facts_of(MPI_Comm comm);
// All that are alive, one after another: `place` begins with 0.
const CommFacts* next_comm(std::uint64_t& place);

// Significance at a root [U50]. With an unknown communicator everything may be: values
// are recorded as they are, but wrappers read no array then.
bool root_side(const CommFacts* facts, int root);
bool leaf_side(const CommFacts* facts, int root);
bool either_side(const CommFacts* facts, int root);

// A communicator was made: its facts are kept and recorded. `again`: also if it is known already.
void comm_born(Thread& t, MPI_Comm comm, bool again);
// The same for a communicator that cannot be asked yet: a duplicate of `like`.
void comm_born_like(Thread& t, MPI_Comm comm, MPI_Comm like);
void comm_freed(std::uint64_t handle);
// MPI_Comm_idup returned. Open MPI stores the new handle when the request completes; until then it
// is remembered.
void idup_started(Thread& t, MPI_Comm* newcomm, MPI_Comm parent);
extern std::atomic<std::uint32_t> pending_idups;
void look_at_idups(Thread& t);
inline void requests_completed(Thread& t) {
  if (pending_idups.load(std::memory_order_relaxed) != 0) [[unlikely]]
    look_at_idups(t);
}

// MPI_Init, MPI_Init_thread or MPI_Session_init succeeded: what a reader must know of library and
// world is recorded.
void started(Thread& t);
void session_started(Thread& t, std::uint64_t session);
void session_ended(std::uint64_t session);
// MPI_Finalize returned.
void finalized();

}  // namespace vouch::shim
