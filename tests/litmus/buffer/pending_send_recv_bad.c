// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// The message may not have left yet when the next one comes into its buffer.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  static double x[100];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  MPI_Isend(x, 100, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, &request);
  MPI_Recv(x, 100, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
