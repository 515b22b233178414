// Which memory a call reads and writes, from the table of procedures.
//
// Each buffer of a call is a side: how many elements of which type lie there, whether they are read
// or written, and who must pass it. What nobody looks at [U50] gives no region:
// MPI_PROC_NULL, MPI_IN_PLACE, counts of 0, types without bytes, arguments that are not significant
// here, types and communicators that are not known.

#pragma once

#include <cstdint>
#include <vector>

#include "memory/region.h"
#include "model/process.h"

namespace vouch {

// How many times `count` elements lie one behind the other.
enum class Times : std::uint8_t {
  once,
  peers,  // members of the group one talks to
  local,  // members of the own group
  indegree,
  outdegree,
  counts,     // arrays of counts and displacements
  sum,        // all counts of the array (MPI_Reduce_scatter: send side)
  own,        // the count of the own rank (its receive side)
  partition,  // partitions of a partitioned operation
};

enum class Touch : std::uint8_t {
  read,
  write,
  root_reads,   // MPI_Bcast: the others write
  replace,      // MPI_Sendrecv_replace: written unless nothing comes
  packed_read,  // MPI_Unpack: from position on, as many bytes as the data has
  packed_write,
};

struct Side {
  std::int8_t buffer = -1, count = -1, displs = -1, type = -1;
  std::int8_t peer = -1;     // RANK whose absence makes it void
  std::int8_t partner = -1;  // replace: where it goes to
  std::int8_t buffer_word = -1, count_word = -1, type_word = -1, peer_word = -1;  // when entered
  Times times = Times::once;
  Touch touch = Touch::read;
  bool types_array = false;  // then displacements are in bytes
};

struct AccessPlan {
  std::vector<Side> sides;
  std::int8_t comm = -1, root = -1, message = -1, position = -1, partitions = -1;
  std::int8_t comm_word = -1;
  bool scalar = false;  // one or two sides, each one count of one type, perhaps for each member
  bool judges = false;  // has two sides, or one that may be written
  bool neighbour = false;
  // MPI-4.1 6.6: what the root scatters it does not read twice.
  bool reads_once = false;
  bool rooted_blocks = false;    // in place at the root, its own block is not touched
  bool reduces_scatter = false;  // in place, the receive buffer holds the whole input, too
};

AccessPlan access_plan(Proc);

// Appends the regions of a call, those of a partitioned one by partition (also empty ones).
// Neighbouring dense blocks that are read come as one. Types and communicators that are
// not known give nothing.
void collect(const AccessPlan&, const Process&, const Event& enter, std::vector<Region>& regions);

// Bytes of data that the typed side of a pack call stands for; -1: not known.
std::int64_t packed_bytes(const AccessPlan&, const Process&, const Event& enter);

}  // namespace vouch
