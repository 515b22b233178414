// vouch: run --check-buffers -n 2
// expect: clean
//
// A local flush, an unlock, a fence and MPI_Win_complete all say that the origin is free.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[8];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    int* x = calloc(4, sizeof *x);
    MPI_Put(x, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    MPI_Win_flush_local(1, win);
    free(x);
    int* y = calloc(4, sizeof *y);
    MPI_Get(y, 4, MPI_INT, 1, 4, 4, MPI_INT, win);
    MPI_Win_unlock(1, win);
    free(y);
  }
  MPI_Win_fence(0, win);
  int* z = calloc(2, sizeof *z);
  MPI_Get(z, 2, MPI_INT, 1 - rank, 4, 2, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  free(z);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
