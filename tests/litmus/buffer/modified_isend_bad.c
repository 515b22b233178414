// vouch: run --check-buffers -n 1
// expect: error buffer/modified @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);  // @a
  x = 2;
  MPI_Recv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
