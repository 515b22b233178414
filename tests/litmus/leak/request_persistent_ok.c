// vouch: run -n 1
// expect: clean
// Freed when it is inactive.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1;
  MPI_Request request;
  MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
