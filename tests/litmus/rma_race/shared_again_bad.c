// vouch: run -n 2
// expect: error rma/race @a @b
//
// Rank 0's part of a shared window is put to under that window, and under another one in which
// rank 1 exposes what MPI_Win_shared_query has told it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, unit, *mine, *part;
  MPI_Aint bytes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win shared, again;
  MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &shared);
  MPI_Win_shared_query(shared, 0, &bytes, &unit, &part);
  MPI_Win_create(part, rank == 1 ? bytes : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &again);
  MPI_Win_lock_all(0, shared);
  MPI_Win_lock_all(0, again);
  if (rank == 0) MPI_Put(&x, 1, MPI_INT, 0, 2, 1, MPI_INT, shared);  // @a
  if (rank == 1) MPI_Put(&x, 1, MPI_INT, 1, 2, 1, MPI_INT, again);  // @b
  MPI_Win_unlock_all(again);
  MPI_Win_unlock_all(shared);
  MPI_Win_free(&again);
  MPI_Win_free(&shared);
  MPI_Finalize();
  return 0;
}
