// vouch: run --check-buffers -n 2
// expect: error buffer/freed @a @s
// expect: error buffer/freed @b @i
// requires: persistent-collectives
// also: crash
//
// Memory of a persistent collective: freed while it is active, and started again afterwards.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *x = calloc(1, sizeof *x), *y = calloc(1, sizeof *y);
  MPI_Request first, second;
  MPI_Allreduce_init(x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &first);
  MPI_Start(&first);  // @s
  free(x);  // @a
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  MPI_Request_free(&first);
  MPI_Allreduce_init(y, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &second);
  free(y);  // @i
  MPI_Start(&second);  // @b
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  MPI_Request_free(&second);
  MPI_Finalize();
  return 0;
}
