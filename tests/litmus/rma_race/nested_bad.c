// vouch: run -n 4
// expect: error rma/race @a @b
// requires: mpich
//
// The window's communicator counts its ranks backwards: 1 is rank 2 of the world. (Open MPI 4.1.4
// at times hangs or fails with windows that disjoint communicators make at once.)
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Win win;
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 1, -rank, &pair);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, pair, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 3) MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
  if (rank == 2) MPI_Allreduce(y, memory, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
