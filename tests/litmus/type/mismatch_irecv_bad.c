// vouch: run -n 2
// expect: error type/mismatch @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[3] = {0};
  int y[6];
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(x, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Irecv(y, 6, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);  // @a
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
