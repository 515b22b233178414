// vouch: run -n 2
// expect: error deadlock/livelock @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    MPI_Request r;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    int flag = 0;
    while (!flag) MPI_Test(&r, &flag, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
