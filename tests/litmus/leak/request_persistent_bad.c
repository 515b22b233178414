// vouch: run -n 1
// expect: warning leak/request @a
// An inactive persistent request left over is a leak like others.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1;
  MPI_Request request;
  MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF, &request);  // @a
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
