// vouch: run -n 2
// expect: warning request/free @a
// After the free nobody touches the request: the warning stands alone.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int x = 1, y;
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(&y, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);  // @a
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
