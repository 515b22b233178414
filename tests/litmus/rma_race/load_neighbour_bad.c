// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
//
// Each round reads what the Get of the round before brings.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    for (int i = 1; i < 8; i++) {
      MPI_Get(&x[i], 1, MPI_INT, 1, i, 1, MPI_INT, win);  // @a
      if (i > 1) y[i] = x[i - 1];  // @b
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
