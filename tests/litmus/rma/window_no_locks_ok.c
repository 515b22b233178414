// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[4], others[4];
  MPI_Win win, locked;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &win);
  MPI_Info_set(info, "no_locks", "false");
  MPI_Win_create(others, sizeof others, sizeof(int), info, MPI_COMM_WORLD, &locked);
  MPI_Info_free(&info);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, locked);
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, locked);
    MPI_Win_unlock(1, locked);
  }
  MPI_Win_free(&locked);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
