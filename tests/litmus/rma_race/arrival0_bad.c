// vouch: run -n 3
// expect: error rma/race @a @b
//
// Who comes first does not matter, nor that the Put only reads.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    usleep(30000);
    MPI_Get(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
  } else if (rank == 1) {
    MPI_Allreduce(y, memory, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b
    MPI_Put(memory, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
