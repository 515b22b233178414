// From the operations of each rank, as its calls made them, to what exploration needs of a run.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "event/proc.h"
#include "trace_program/from_events.h"
#include "trace_program/values.h"

namespace vouch {

struct TracedOp {
  predict::Operation op;
  std::vector<std::size_t> completes{};
  bool waited = false, dropped = false;
  bool complete = false;      // as the program has seen
  int source = -1, tag = -1;  // receive, probe: what it got, as ranks of the world
  RunProgram::Mark mark{};
  std::int64_t wildcard = -1;            // the n-th operation with MPI_ANY_SOURCE, from 0
  std::string value{};                   // send: the first bytes of what it reads
  std::optional<ReceivedAt> forwards{};  // send: it reads what a receive has written
  Proc call = Proc::none;
  int thread = 0;
  std::uint64_t picks = 0;   // of its rank before it
  std::uint64_t digest = 0;  // send: of all that it reads
  // A wait for some of several: where they stand in the array, and who else was pending there.
  bool several = false;
  std::vector<int> chosen{};
  std::vector<std::pair<int, std::size_t>> open{};
};

struct TracedComm {
  int number = 0;
  std::uint64_t id = 0;        // the same in every run
  std::vector<int> members{};  // ranks of the world
};

RunProgram build_run_program(const TextTrace&, const std::vector<const std::vector<TracedOp>*>&,
                             const std::vector<TracedComm>&);

}  // namespace vouch
