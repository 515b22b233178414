// vouch: run -n 1
// expect: error request/cancel @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y;
  MPI_Request request;
  MPI_Recv_init(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Start(&request);
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Cancel(&request);  // @a
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
