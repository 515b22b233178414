// vouch: run -n 2
// expect: error type/mismatch @a
// expect: error type/mismatch @b
// Other types are another mistake.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, i = 0;
  double x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_FLOAT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_FLOAT, 1, 2, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(&i, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @b
  }
  MPI_Finalize();
  return 0;
}
