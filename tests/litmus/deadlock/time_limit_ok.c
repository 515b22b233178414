// vouch: run -n 2
// expect: clean
// It gives up after a while of its own, counted in naps: nothing bounds how long a program may test.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    for (int naps = 0; !flag && naps < 120; ++naps) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      usleep(100000);
    }
    if (!flag) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
