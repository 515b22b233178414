// vouch: run --check-buffers -n 1
// expect: error buffer/freed @a
// A copy of the message may have been taken already; no program may count on it.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int got;
  MPI_Request request;
  int* p = malloc(sizeof(int));
  *p = 1;
  MPI_Isend(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  free(p);  // @a
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
