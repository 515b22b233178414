// vouch: run --check-buffers -n 2
// expect: warning buffer/bounds @a
// The receive offers more room than there is; the message that comes does not use it.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, two[2] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* nine = malloc(9 * sizeof(int));
  if (rank == 0) MPI_Send(two, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(nine, 10, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  free(nine);
  MPI_Finalize();
  return 0;
}
