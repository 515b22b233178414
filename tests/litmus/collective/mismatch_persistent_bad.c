// vouch: run -n 2
// expect: error collective/mismatch @a
// also: crash
// requires: persistent-collectives
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in = 1, out[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
    MPI_Gather_init(&in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,  // @a
                    &request);
  } else {
    MPI_Allgather_init(&in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  }
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
