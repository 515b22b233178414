// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long x = 1, z;
  double y = 2;
  MPI_Request request[2];
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_LONG, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&y, 1, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&z, 1, MPI_LONG, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&y, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
