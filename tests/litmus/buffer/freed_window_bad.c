// vouch: run --check-buffers -n 2
// expect: error buffer/freed @a
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win;
  int* p = malloc(100 * sizeof(int));
  MPI_Win_create(p, 100 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  free(p);  // @a
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
