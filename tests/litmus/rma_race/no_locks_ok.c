// vouch: run -n 2
// expect: clean
//
// MPI_Win_free waits for all if the window may be locked.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Win win, fenced;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "false");
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &fenced);
  MPI_Info_free(&info);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
  }
  MPI_Win_free(&fenced);
  if (rank == 1) MPI_Allreduce(memory, y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
