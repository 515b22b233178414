// vouch: run -n 2
// expect: error rma/race @a @b
//
// The writer goes on without waiting for the reader.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  int one = 1, seen = 0;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(x, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(1, win);
    MPI_Put(x, 1, MPI_INT, 1, 1, 1, MPI_INT, win);  // @a
  } else {
    while (seen == 0) {
      MPI_Fetch_and_op(&one, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
      MPI_Win_flush(1, win);
    }
    MPI_Allreduce(&memory[1], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
