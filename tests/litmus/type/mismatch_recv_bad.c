// vouch: run -n 2
// expect: error type/mismatch @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[2] = {1, 2};
  float y[2];
  if (rank == 0) {
    MPI_Send(x, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(y, 2, MPI_FLOAT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
