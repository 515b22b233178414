// vouch: run -n 2
// expect: error race/local @a @b
// compile: vouch cc
// requires: partitioned
//
// A partition is written after it was said to be ready.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Request request;
  if (rank == 0)
    MPI_Psend_init(x, 4, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(x, 4, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  if (rank == 0) {
    for (int part = 0; part < 4; part++) {
      MPI_Pready(part, request);  // @a
      x[part * 4] = part;  // @b
    }
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
