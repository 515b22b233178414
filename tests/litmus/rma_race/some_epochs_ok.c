// vouch: run -n 3
// expect: clean
//
// MPI_Win_lock_all is not collective.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0) MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
  if (rank == 0) MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
  if (rank == 1) MPI_Win_unlock(2, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
