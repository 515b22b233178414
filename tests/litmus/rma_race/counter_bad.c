// vouch: run -n 3
// expect: error rma/race @a @b
//
// Counted before the Put is complete.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int y[16] = {0};
  int one = 1, seen = 0;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(&rank, 1, MPI_INT, 0, 1 + rank, 1, MPI_INT, win);  // @a
  MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_flush(0, win);
  if (seen == 2) MPI_Get(y, 3, MPI_INT, 0, 1, 3, MPI_INT, win);  // @b
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
