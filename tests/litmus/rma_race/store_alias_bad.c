// vouch: run -n 2
// expect: error rma/race @a @b
// compile: vouch cc
//
// Two windows over one array: a fence of one completes nothing of the other.
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
  MPI_Win other;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 1, 3, 1, MPI_INT, win);  // @a
  MPI_Win_fence(0, other);
  if (rank == 1) memory[3] = 1;  // @b
  MPI_Win_unlock_all(win);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
