// vouch: run -n 2
// expect: clean
//
// A barrier on it before.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Comm copy;
  MPI_Win win;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
  }
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  if (rank == 1) MPI_Allreduce(memory, y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
