// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// After MPI_Wait.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  if (rank == 0) {
    MPI_Request request;
    int done = 0;
    MPI_Irecv(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Send(x, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (!done) MPI_Wait(&request, MPI_STATUS_IGNORE);
    y[0] = x[0];
  } else {
    MPI_Recv(x, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
