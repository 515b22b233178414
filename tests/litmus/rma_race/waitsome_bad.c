// vouch: run -n 2
// expect: error race/local @b @c
//
// One request is not among those that are waited for.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Request requests[8], last;
  int count, indices[8];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    for (int i = 0; i < 8; i++) MPI_Rget(&x[i], 1, MPI_INT, 1, i, 1, MPI_INT, win, &requests[i]);
    MPI_Rget(&x[8], 1, MPI_INT, 1, 8, 1, MPI_INT, win, &last);  // @b
    for (int left = 8; left > 0; left -= count) MPI_Waitsome(8, requests, &count, indices, MPI_STATUSES_IGNORE);
    MPI_Allreduce(y, &x[8], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @c
    MPI_Wait(&last, MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
