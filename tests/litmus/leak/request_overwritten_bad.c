// vouch: run -n 1
// expect: error leak/request @a
// The loop keeps the last handle only.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1, y[2];
  MPI_Request request;
  for (int i = 0; i < 2; i++) {
    MPI_Irecv(&y[i], 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);  // @a
  }
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
