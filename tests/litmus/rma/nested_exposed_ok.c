// vouch: run -n 3
// expect: clean
// Fences and locks one after the other; a lock of another target; a fence that nobody has used opens nothing.
#include <mpi.h>

static void put(int rank, int to, MPI_Win window) {
  static int x = 1;
  MPI_Win_lock(MPI_LOCK_SHARED, to, 0, window);
  MPI_Put(&x, 1, MPI_INT, to, rank, 1, MPI_INT, window);
  MPI_Win_unlock(to, window);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_allocate(3 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  put(rank, (rank + 1) % 3, window);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  if (rank == 0) MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  put(rank, (rank + 1) % 3, window);
  MPI_Win_fence(0, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  put(rank, 1, window);
  MPI_Win_lock_all(0, window);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
