// vouch: run -n 8
// expect: clean
// Groups that create inter-communicators along a chain: each with the group before it, then with
// the next one. Whoever comes early waits for its turn, but somebody can always go on.
#include <mpi.h>

enum { kGroups = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int mine = rank % kGroups;
  MPI_Comm group, before = MPI_COMM_NULL, next = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, mine, rank, &group);
  if (mine > 0) MPI_Intercomm_create(group, 1, MPI_COMM_WORLD, kGroups + mine - 1, mine, &before);
  if (mine < kGroups - 1)
    MPI_Intercomm_create(group, 1, MPI_COMM_WORLD, kGroups + mine + 1, mine + 1, &next);
  // Values travel down the chain.
  if (before != MPI_COMM_NULL) MPI_Bcast(&value, 1, MPI_INT, 0, before);
  ++value;
  if (next != MPI_COMM_NULL)
    MPI_Bcast(&value, 1, MPI_INT, rank < kGroups ? MPI_ROOT : MPI_PROC_NULL, next);
  if (next != MPI_COMM_NULL) MPI_Comm_free(&next);
  if (before != MPI_COMM_NULL) MPI_Comm_free(&before);
  MPI_Comm_free(&group);
  MPI_Finalize();
  return 0;
}
