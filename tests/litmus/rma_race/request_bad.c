// vouch: run -n 2
// expect: error race/local @a @b
//
// The last is read before any is known to have come.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[100];
  int y[16] = {0};
  static int buffer[100];
  MPI_Request requests[100];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    for (int i = 0; i < 100; i++) MPI_Rget(&buffer[i], 1, MPI_INT, 1, i, 1, MPI_INT, win, &requests[i]);  // @a
    MPI_Allreduce(&buffer[99], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b
    for (int i = 0; i < 100; i++) {
      int at;
      MPI_Waitany(100, requests, &at, MPI_STATUS_IGNORE);
      MPI_Allreduce(&buffer[at], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
