// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
//
// The contribution to a collective operation is changed.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  int y[16] = {0};
  MPI_Request request;
  MPI_Iallreduce(x, y, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);  // @a
  x[0] = 1;  // @b
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
