// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
//
// The buffer of a receive is read before the message is there.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @a
    y[0] = x[0];  // @b
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
