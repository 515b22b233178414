// vouch: run -n 3
// expect: clean
//
// The origin buffer is free after MPI_Win_complete, and a message says so.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int token = 0;
  MPI_Group origins, targets;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int origins_ranks[] = {1};
  MPI_Group_incl(all, 1, origins_ranks, &origins);
  int targets_ranks[] = {0};
  MPI_Group_incl(all, 1, targets_ranks, &targets);
  if (rank == 0) {
    MPI_Win_post(origins, 0, win);
    MPI_Win_wait(win);
  } else if (rank == 1) {
    MPI_Win_start(targets, 0, win);
    MPI_Get(memory, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
  }
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
  MPI_Win_free(&win);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
