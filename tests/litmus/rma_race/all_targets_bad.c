// vouch: run -n 4
// expect: error rma/race @a @a
//
// Everybody puts to everybody, all to one place.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int y[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 4; i++) {
    MPI_Put(&rank, 1, MPI_INT, i, 0, 1, MPI_INT, win);  // @a
  }
  MPI_Win_flush_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(memory, y, 4, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
