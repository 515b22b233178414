#include "agent/one_world.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace vouch {
namespace {

const char* library_name(wire::Library library) {
  switch (library) {
    case wire::Library::openmpi:
      return "Open MPI";
    case wire::Library::mpich:
      return "MPICH";
    case wire::Library::unknown:
      break;
  }
  return "its MPI library";
}

}  // namespace

bool OneWorld::came(const Process& process, int told_size,
                    const std::vector<const Process*>& others) {
  if (broken() || process.spawned) return false;
  const auto same = std::find_if(others.begin(), others.end(), [&](const Process* other) {
    return other != &process && !other->spawned && other->world_size > 0 &&
           other->rank == process.rank;
  });
  const int expected = std::max(ranks_, told_size);
  const bool twice = same != others.end();
  if (process.world_size == 1 && (expected > 1 || (twice && (*same)->end == End::alive))) {
    why_ = fmt::format(
        "each process is alone in an MPI_COMM_WORLD of size 1{}: the launcher did not connect "
        "them. They use {}; start them with its own launcher (under srun: the right --mpi=, see "
        "srun "
        "--mpi=list)",
        expected > 1 ? fmt::format(" though {} were started", expected) : "",
        library_name(process.library));
    return true;
  }
  if (!twice) return false;
  in_turn_ = (*same)->end != End::alive;
  why_ = fmt::format(
      "more than one MPI job was run, {}: vouch checks one job, so run each under a vouch of its "
      "own",
      in_turn_ ? "one after the other" : "at the same time");
  return true;
}

int size_in_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
    if (const char* text = std::getenv(name); text != nullptr && *text != 0) return std::atoi(text);
  }
  return 0;
}

}  // namespace vouch
