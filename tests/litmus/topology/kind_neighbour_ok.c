// vouch: run -n 2
// expect: clean
// [U42]: a ring with borders: the values beyond them stay as they are.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y[2] = {-1, -1}, two = 2, open = 0;
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &open, 0, &line);
  MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, line);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
