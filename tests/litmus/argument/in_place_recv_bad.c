// vouch: run -n 1
// expect: error argument/in-place @a
// also: crash
// [U3]: point-to-point calls know no MPI_IN_PLACE.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(MPI_IN_PLACE, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);  // @a
  if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
