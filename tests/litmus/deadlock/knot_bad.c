// vouch: run -n 4
// expect: error deadlock/wildcard-knot @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Send(&y, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
