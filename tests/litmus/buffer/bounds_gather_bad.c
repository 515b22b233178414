// vouch: run --check-buffers -n 2
// expect: error buffer/bounds @a
// The root's room is one element short of a block of each rank.
#include <mpi.h>
#include <stdlib.h>

enum { kEach = 32770 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double* mine = calloc(kEach, sizeof(double));
  double* all = malloc((2 * kEach - 1) * sizeof(double));
  MPI_Gather(mine, kEach, MPI_DOUBLE, all, kEach, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // @a
  free(all);
  free(mine);
  MPI_Finalize();
  return 0;
}
