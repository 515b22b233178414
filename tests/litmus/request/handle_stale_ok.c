// vouch: run -n 1
// expect: clean
// Waiting twice by the same variable: it is MPI_REQUEST_NULL by then. An unused copy harms nobody.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request request, copy;
  MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  copy = request;
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
