// vouch: run -n 1
// expect: warning buffer/bsend @a
// Room for one message; two may have to wait there.
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
  MPI_Bsend(x, 25, MPI_INT, 0, 1, MPI_COMM_SELF);  // @a
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Buffer_detach(&space, &size);
  free(space);
  MPI_Finalize();
  return 0;
}
