// vouch: run --check-buffers -n 2
// expect: error buffer/bounds @a
#include <mpi.h>

int before[4], values[4], after[16];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  before[0] = after[0] = rank;
  if (rank == 0) MPI_Send(values, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);  // @a
  if (rank == 1) MPI_Recv(after, 5, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
