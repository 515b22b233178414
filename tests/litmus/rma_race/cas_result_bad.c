// vouch: run -n 2
// expect: error race/local @a @b
//
// The result is read before the call is complete.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Compare_and_swap(x, &x[1], &x[2], MPI_INT, 1, 0, win);  // @a
    MPI_Allreduce(&x[2], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
