// vouch: run -n 2
// expect: error race/local @a @b
// expect: error race/local @c @d
// expect: error rma/race @a @c
// compile: vouch cc
//
// Both ranks get into their window what the other one gets from it, and read it at once.
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
    MPI_Get(&memory[0], 1, MPI_INT, 1, 1, 1, MPI_INT, win);  // @a
    y[0] = memory[0];  // @b
  } else {
    MPI_Get(&memory[1], 1, MPI_INT, 0, 0, 1, MPI_INT, win);  // @c
    y[1] = memory[1];  // @d
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
