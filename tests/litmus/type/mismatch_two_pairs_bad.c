// vouch: run -n 2
// expect: error type/mismatch @a
// expect: error type/mismatch @b
// Two exchanges that have nothing to do with each other, each with a mistake of its own.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  float f = 1;
  double d = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm halo;
  MPI_Comm_dup(MPI_COMM_WORLD, &halo);
  if (rank == 0) {
    MPI_Send(&f, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&f, 1, MPI_FLOAT, 1, 7, halo);
  } else {
    MPI_Recv(&d, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(&d, 1, MPI_DOUBLE, 0, 7, halo, MPI_STATUS_IGNORE);            // @b
  }
  MPI_Comm_free(&halo);
  MPI_Finalize();
  return 0;
}
