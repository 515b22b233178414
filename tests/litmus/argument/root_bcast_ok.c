// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  MPI_Bcast(&x, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
