// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// The second round is started before the data of the first was passed on.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  static int x[10];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Recv_init(x, 10, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    MPI_Send(x, 10, MPI_INT, 1, 8, MPI_COMM_WORLD);  // @a
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  } else {
    MPI_Send(x, 10, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Send(x, 10, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Recv(x, 10, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
