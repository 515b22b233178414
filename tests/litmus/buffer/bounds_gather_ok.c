// vouch: run --check-buffers -n 2
// expect: clean
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  double mine[3] = {1, 2, 3};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double* all = malloc((rank == 0 ? 3 * size : 1) * sizeof(double));
  MPI_Gather(mine, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(all);
  MPI_Finalize();
  return 0;
}
