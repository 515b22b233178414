// vouch: run -n 1
// expect: warning request/never-started @a
// Waiting for an inactive request returns at once: nothing was received.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int y;
  MPI_Request request;
  MPI_Recv_init(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // @a
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
