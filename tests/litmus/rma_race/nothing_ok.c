// vouch: run -n 2
// expect: clean
//
// MPI_PROC_NULL and a count of 0 touch nothing.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  int token = 0;
  MPI_Request request;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Allreduce(y, x, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Rget(x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &request);
    MPI_Allreduce(y, x, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Put(x, 0, MPI_INT, 1, 0, 0, MPI_INT, win);
    MPI_Allreduce(y, x, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Put(&x[4], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  } else {
    MPI_Allreduce(y, &memory[1], 0, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Send(memory, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
