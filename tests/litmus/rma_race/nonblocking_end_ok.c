// vouch: run -n 3
// expect: clean
//
// A barrier that is polled.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int y[16] = {0};
  MPI_Request request;
  int flag = 0;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(&rank, 1, MPI_INT, 1, rank, 1, MPI_INT, win);
  MPI_Win_flush_all(win);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Allreduce(memory, y, 3, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
