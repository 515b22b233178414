// vouch: run -n 3
// expect: clean
//
// The second update names the next element, and one of one origin may overlap in part: they are
// ordered (MPI-4.1 12.7.2).
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[2] = {1, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static char memory[64];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Accumulate(x, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win);
  if (rank == 2) MPI_Accumulate(x, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win);
  if (rank == 0) MPI_Accumulate(x, 1, MPI_INT, 1, 9, 1, MPI_INT, MPI_SUM, win);
  if (rank == 0) MPI_Accumulate(x, 1, MPI_INT, 1, 10, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
