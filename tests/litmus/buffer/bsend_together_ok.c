// vouch: run -n 1
// expect: clean
// The first was received before the second is sent.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[25] = {0}, y[2][25], size = 100 + MPI_BSEND_OVERHEAD;
  MPI_Request request[2];
  void* space = malloc(size);
  for (int i = 0; i < 2; ++i) MPI_Irecv(y[i], 25, MPI_INT, 0, i, MPI_COMM_SELF, &request[i]);
  MPI_Buffer_attach(space, size);
  MPI_Bsend(x, 25, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Bsend(x, 25, MPI_INT, 0, 1, MPI_COMM_SELF);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&space, &size);
  free(space);
  MPI_Finalize();
  return 0;
}
