// vouch: run -n 2
// expect: error type/mismatch @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1;
  float y;
  MPI_Request request;
  if (rank == 0) {
    MPI_Send_init(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
  } else {
    MPI_Recv_init(&y, 1, MPI_FLOAT, 0, 7, MPI_COMM_WORLD, &request);  // @a
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
  }
  MPI_Finalize();
  return 0;
}
