// vouch: run -n 2
// expect: error request/partition @a
// requires: partitioned
// also: crash
// Less is received than sent. The library stops the receiver where it waits: that follows.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[8] = {0};
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(x, 2, 4, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready_range(0, 1, request);
  } else {
    MPI_Precv_init(x, 2, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);  // @a
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
