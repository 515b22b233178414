// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
// requires: partitioned
// MPI-4.1 4.2.1: the send is complete only if all its partitions were marked ready.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, b[4] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(b, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int i = 0; i < 3; ++i) MPI_Pready(i, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @a
  } else {
    MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
