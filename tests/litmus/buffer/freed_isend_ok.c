// vouch: run --check-buffers -n 1
// expect: clean
// After completion, after a copy of its own (MPI_Bsend), and after the answer to a send whose
// request was freed.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int got, size;
  MPI_Request request;
  int* p = malloc(sizeof(int));
  *p = 1;
  MPI_Isend(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(p);
  void* space = malloc(100 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(space, 100 + MPI_BSEND_OVERHEAD);
  p = malloc(sizeof(int));
  *p = 1;
  MPI_Bsend(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  free(p);
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&space, &size);
  free(space);
  p = malloc(sizeof(int));
  *p = 1;
  MPI_Isend(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  free(p);
  MPI_Finalize();
  return 0;
}
