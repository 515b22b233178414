// vouch: run -n 2
// expect: error request/partition @a
// requires: partitioned
// also: crash
// The library of the receiver stops the job for it, wherever rank 1 is then.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[4] = {1, 2, 3, 4};
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(x, 2, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready(0, request);
    MPI_Pready(0, request);  // @a
    MPI_Pready(1, request);
  } else {
    MPI_Precv_init(x, 2, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
