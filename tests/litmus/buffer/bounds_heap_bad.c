// vouch: run --check-buffers -n 2
// expect: error buffer/bounds @a
// The block has room for nine; ten come.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ten[10] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* nine = malloc(9 * sizeof(int));
  if (rank == 0) MPI_Send(ten, 10, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(nine, 10, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  free(nine);
  MPI_Finalize();
  return 0;
}
