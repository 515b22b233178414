// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// The buffer of a send may be read.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    x[4] = x[3];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    x[3] = 1;
  } else {
    MPI_Recv(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
