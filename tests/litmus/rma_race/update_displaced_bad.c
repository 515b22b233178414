// vouch: run -n 3
// expect: error rma/race @a @b
//
// MPI-4.1 12.3.4: each element is updated atomically. Two ints that lie two bytes apart are not the
// same element.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static char memory[64];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Accumulate(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);  // @a
  if (rank == 2) MPI_Accumulate(&x, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_SUM, win);  // @b
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
