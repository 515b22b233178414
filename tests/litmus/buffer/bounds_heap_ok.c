// vouch: run --check-buffers -n 2
// expect: clean
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, nine[9] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* block = malloc(9 * sizeof(int));
  if (rank == 0) MPI_Send(nine, 9, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(block, 9, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // The tail of a block, and a block that grew in the meantime.
  if (rank == 0) MPI_Send(nine + 5, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(block + 5, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  block = realloc(block, 1000 * sizeof(int));
  MPI_Bcast(block, 1000, MPI_INT, 0, MPI_COMM_WORLD);
  free(block);
  MPI_Finalize();
  return 0;
}
