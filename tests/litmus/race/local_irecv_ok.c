// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// A test has said that the message is there.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Request request;
  int flag = 0;
  if (rank == 0) {
    MPI_Irecv(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag) {
      y[0] = x[4];
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    y[0] = x[0];
  } else {
    MPI_Send(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
