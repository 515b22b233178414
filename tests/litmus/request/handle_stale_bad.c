// vouch: run -n 1
// expect: error request/handle @a
// also: crash
// A copy of a handle outlives its request.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y;
  MPI_Request request, copy;
  MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  copy = request;
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&copy, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
