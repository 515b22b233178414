// vouch: run -n 3
// compile: vouch cc
// expect: clean
//
// The lock of one rank guards the memory of another one in a shared window: when the call has returned, it is held.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, unit;
  int *mine, *first;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate_shared(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
    first[3] = 1;
    MPI_Win_unlock(2, win);
  } else if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
    first[3] = 2;
    MPI_Win_unlock(2, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
