// vouch: run -n 1
// expect: error request/handle @a
// expect: error request/handle @b
// expect: error request/handle @c
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Start(&request);  // @a
  MPI_Cancel(&request);  // @b
  MPI_Request_free(&request);  // @c
  MPI_Finalize();
  return 0;
}
