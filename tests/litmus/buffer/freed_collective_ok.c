// vouch: run --check-buffers -n 2
// expect: clean
// requires: persistent-collectives
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *x = calloc(1, sizeof *x), *y = calloc(1, sizeof *y);
  MPI_Request first, second;
  MPI_Allreduce_init(x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &first);
  MPI_Start(&first);
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  free(x);
  MPI_Request_free(&first);
  MPI_Allreduce_init(y, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &second);
  MPI_Start(&second);
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  MPI_Request_free(&second);
  free(y);
  MPI_Finalize();
  return 0;
}
