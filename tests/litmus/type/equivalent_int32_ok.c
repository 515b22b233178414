// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1, y;
  long long z = 0;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT32_T, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&z, 1, MPI_LONG_LONG, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&y, 1, MPI_INT32_T, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&z, 1, MPI_LONG_LONG_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
