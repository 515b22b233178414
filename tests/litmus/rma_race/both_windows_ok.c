// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Win other;
  MPI_Win win;
  MPI_Win_create(memory, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create(&memory[8], 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_lock_all(0, win);
  MPI_Win_lock_all(0, other);
  if (rank == 0) {
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, other);
    MPI_Win_flush(1, win);
    MPI_Win_flush_all(other);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Allreduce(memory, y, 16, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_unlock_all(other);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
