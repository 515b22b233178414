// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1, y[2];
  MPI_Request requests[2];
  for (int i = 0; i < 2; i++) {
    MPI_Irecv(&y[i], 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[i]);
  }
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
