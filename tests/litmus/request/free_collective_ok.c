// vouch: run -n 2
// expect: clean
// [U24]: an active send may be freed; its receiver tells that it is done.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int x = 1, y;
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  } else {
    MPI_Recv(&y, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
