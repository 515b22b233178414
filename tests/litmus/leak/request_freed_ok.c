// vouch: run -n 1
// expect: clean
// [U24]: a send freed while active is nobody's leak.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1, y;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Recv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
