// vouch: run --check-buffers -n 1
// expect: error buffer/modified @a
// Small sends are complete at once and share one handle; the changed one is told from the others.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[3] = {1, 2, 3}, y;
  MPI_Request request[3];
  MPI_Isend(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[0]);
  MPI_Isend(&x[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request[1]);  // @a
  MPI_Isend(&x[2], 1, MPI_INT, 0, 2, MPI_COMM_SELF, &request[2]);
  for (int i = 0; i < 3; ++i) MPI_Recv(&y, 1, MPI_INT, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  x[1] = 9;
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
