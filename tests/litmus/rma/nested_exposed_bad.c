// vouch: run -n 3
// expect: warning rma/epoch-nested @a
// Rank 0 moves data to rank 1 between two fences, so that its window is exposed; rank 2 locks it between the same two.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);  // @a
    MPI_Put(&x, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
    MPI_Win_unlock(1, window);
  }
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
