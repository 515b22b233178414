// vouch: run -n 3
// expect: error rma/race @a @b
//
// Rank 2 is no neighbour of rank 0 on a line.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, dims[1] = {3}, periods[1] = {0};
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Comm_rank(line, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, line, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
    MPI_Win_flush(1, win);
  }
  MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, line);
  if (rank == 2) MPI_Get(y, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @b
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
