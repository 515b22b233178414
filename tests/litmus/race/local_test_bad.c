// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
//
// MPI_Test says that the message has not come, and its buffer is read all the same.
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
    MPI_Irecv(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @a
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) y[0] = x[0];  // @b
    MPI_Send(x, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(x, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
