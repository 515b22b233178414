// vouch: run -n 2
// expect: clean
// Both sides of each exchange name the same type.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  float f = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm halo;
  MPI_Comm_dup(MPI_COMM_WORLD, &halo);
  if (rank == 0) {
    MPI_Send(&f, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&f, 1, MPI_FLOAT, 1, 7, halo);
  } else {
    MPI_Recv(&f, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&f, 1, MPI_FLOAT, 0, 7, halo, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&halo);
  MPI_Finalize();
  return 0;
}
