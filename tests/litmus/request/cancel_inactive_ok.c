// vouch: run -n 1
// expect: clean
// [U33]: the same receive may also come too late to be cancelled.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request request;
  MPI_Recv_init(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Start(&request);
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
