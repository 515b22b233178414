// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
//
// One of two receives is complete; what the other one brings is read.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  if (rank == 0) {
    MPI_Request requests[2];
    int count, done[2];
    MPI_Irecv(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(x + 4, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);  // @a
    MPI_Waitsome(2, requests, &count, done, MPI_STATUSES_IGNORE);
    y[0] = x[0] + x[4];  // @b
    MPI_Send(x, 0, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(x, 0, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
