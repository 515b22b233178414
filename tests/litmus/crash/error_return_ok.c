// vouch: run -n 1
// expect: clean
// Errors that are answers: an unknown service, a called error handler.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  MPI_Lookup_name("nobody-publishes-this", MPI_INFO_NULL, port);
  MPI_Finalize();
  return 0;
}
