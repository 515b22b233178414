// vouch: run -n 1
// expect: error buffer/bsend @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y;
  MPI_Request request;
  MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  if (MPI_Bsend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF) != MPI_SUCCESS)  // @a
    MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
