// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1;
  float y = 0;
  MPI_Request request[2];
  if (rank == 0) {
    MPI_Send_init(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(&y, 1, MPI_FLOAT, 1, 8, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 3; ++i) {
      MPI_Startall(2, request);
      MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
  } else {
    MPI_Recv_init(&y, 1, MPI_FLOAT, 0, 8, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 3; ++i) {
      MPI_Startall(2, request);
      MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
  }
  MPI_Finalize();
  return 0;
}
