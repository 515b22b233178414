// vouch: run -n 2
// expect: error race/local @a @b
//
// A Put reads what a Get may not have brought.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Get(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
    MPI_Put(x, 1, MPI_INT, 1, 1, 1, MPI_INT, win);  // @b
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
