// vouch: run -n 1
// expect: warning request/never-started @a
// Made and thrown away.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int y;
  MPI_Request request;
  MPI_Recv_init(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);  // @a
  MPI_Finalize();
  return 0;
}
