// vouch: run -n 3
// expect: error rma/race @b @b
//
// The lock is given back before the Put is complete.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int one = 1, zero = 0, held, value;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 4; i++) {
    held = 1;
    while (held == 1) {
      MPI_Compare_and_swap(&one, &zero, &held, MPI_INT, 0, 0, win);
      MPI_Win_flush(0, win);
    }
    MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    value = value + 1;
    MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);  // @b
    MPI_Win_flush_local(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
