// vouch: run -n 2
// expect: error type/truncation @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[5] = {0};
  MPI_Request request;
  if (rank == 0) {
    MPI_Send(x, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);  // @a
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
