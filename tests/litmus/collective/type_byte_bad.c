// vouch: run -n 3
// expect: warning collective/type @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double value = 1;
  if (rank == 1) {
    MPI_Bcast(&value, 8, MPI_BYTE, 0, MPI_COMM_WORLD);  // @a
  } else {
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
