// vouch: run -n 2
// expect: error type/mismatch @a
// One wrong constant, used by all sends: one finding, whatever line shows it.
#include <mpi.h>

#define NUMBER MPI_FLOAT

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, NUMBER, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&x, 1, NUMBER, 1, 2, MPI_COMM_WORLD);
    MPI_Ssend(&x, 1, NUMBER, 1, 3, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(&x, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
