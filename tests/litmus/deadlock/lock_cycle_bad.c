// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *memory, value = 1;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
  MPI_Win_flush(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window);  // @a
  MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
  MPI_Win_unlock(1 - rank, window);
  MPI_Win_unlock(rank, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
