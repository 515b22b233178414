// vouch: run -n 2
// expect: clean
// compile: vouch cc
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  int y[16] = {0};
  MPI_Request request;
  MPI_Iallreduce(x, y, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  y[4] = x[0];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  x[0] = y[0];
  MPI_Finalize();
  return 0;
}
