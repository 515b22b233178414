// vouch: run -n 4
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  // Other communicators may come in between.
  if (rank % 2 == 0) {
    MPI_Barrier(half);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, half);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
