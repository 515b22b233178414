// vouch: run -n 1
// expect: error lifecycle/after-finalize @a
// also: crash
// Completed too late: that it was not completed before is the same mistake.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x, y = 0;
  MPI_Request request;
  MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Finalize();
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // @a
  return 0;
}
