// vouch: run -n 1
// expect: error argument/count @a
// requires: partitioned
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[4];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Psend_init(x, -1, 4, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);  // @a
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
