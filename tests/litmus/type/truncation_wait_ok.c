// vouch: run -n 2
// expect: clean
// Messages go to receives in the order of posting, not of waiting.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[5] = {0}, y[5];
  MPI_Request request[2];
  if (rank == 0) {
    MPI_Send(x, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(x, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(y, 5, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
