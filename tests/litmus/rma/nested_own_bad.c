// vouch: run -n 2
// expect: error rma/epoch-nested @a
// expect: error rma/epoch-nested @b
// also: crash
//
// MPI-4.1 12.5.3: a window is not locked and exposed at once. Each process does both to its own
// memory, in one order on the first window and in the other order on the second.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[4], others[4];
  MPI_Win win, other;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create(others, sizeof others, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  memory[0] = 1;
  MPI_Win_post(MPI_GROUP_EMPTY, 0, win);  // @a
  MPI_Win_wait(win);
  MPI_Win_unlock(rank, win);
  MPI_Win_post(MPI_GROUP_EMPTY, 0, other);
  MPI_Win_lock_all(0, other);  // @b
  MPI_Win_unlock_all(other);
  MPI_Win_wait(other);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
