// vouch: run -n 2
// expect: clean
// requires: partitioned
// Once for every start; partitions in any order; MPI_Parrived again and again.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[4] = {1, 2, 3, 4}, flag;
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(x, 2, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(x, 2, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  }
  for (int i = 0; i < 2; i++) {
    MPI_Start(&request);
    if (rank == 0) {
      MPI_Pready(1, request);
      MPI_Pready(0, request);
    } else {
      for (flag = 0; !flag;) MPI_Parrived(request, 1, &flag);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
