// vouch: run -n 2
// expect: clean
// requires: partitioned
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request r;
  if (rank == 0) {
    MPI_Psend_init(&y, 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    MPI_Pready(0, r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Precv_init(&x, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Send(&y, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  }
  MPI_Request_free(&r);
  MPI_Finalize();
  return 0;
}
