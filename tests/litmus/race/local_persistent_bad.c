// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
//
// The buffer of a started persistent send is changed.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Request request;
  if (rank == 0)
    MPI_Send_init(x, 16, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Recv_init(x, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  for (int round = 0; round < 2; round++) {
    MPI_Start(&request);  // @a
    if (rank == 0) x[0] = round;  // @b
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
