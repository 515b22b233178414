// vouch: run -n 3
// expect: error rma/race @a @b
//
// The exclusive lock is of another window over the same memory.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win other;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
    MPI_Win_unlock(1, win);
  } else if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, other);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, other);  // @b
    MPI_Win_unlock(1, other);
    MPI_Win_unlock(2, win);
  }
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
