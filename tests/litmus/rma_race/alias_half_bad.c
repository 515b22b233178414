// vouch: run -n 3
// expect: error rma/race @a @b
//
// The halves share an element.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win other;
  MPI_Win win;
  MPI_Win_create(memory, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create(&memory[7], 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_lock_all(0, win);
  MPI_Win_lock_all(0, other);
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 1, 7, 1, MPI_INT, win);  // @a
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, other);  // @b
  MPI_Win_unlock_all(other);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
