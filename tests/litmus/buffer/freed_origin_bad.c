// vouch: run --check-buffers -n 2
// expect: error buffer/freed @a @p
// expect: error buffer/freed @b @g
//
// MPI-4.1 12.3: the memory at the origin must live until the operation is complete there.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[8];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    int* x = calloc(4, sizeof *x);
    MPI_Put(x, 4, MPI_INT, 1, 0, 4, MPI_INT, win);  // @p
    free(x);  // @a
    MPI_Win_flush(1, win);
    int* y = calloc(4, sizeof *y);
    MPI_Get(y, 4, MPI_INT, 1, 4, 4, MPI_INT, win);  // @g
    MPI_Win_flush(0, win);
    free(y);  // @b
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
