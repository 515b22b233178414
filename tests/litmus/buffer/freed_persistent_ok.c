// vouch: run --check-buffers -n 1
// expect: clean
// An inactive request names memory that is gone, and is never started again.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request;
  int got;
  int* p = malloc(4096 * sizeof(int));
  MPI_Send_init(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Start(&request);
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(p);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
