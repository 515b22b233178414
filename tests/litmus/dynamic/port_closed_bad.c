// vouch: run -n 1
// expect: error dynamic/argument @a
// also: crash
// requires: openmpi
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  char port[MPI_MAX_PORT_NAME];
  MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Close_port(port);
  MPI_Close_port(port);  // @a
  MPI_Finalize();
  return 0;
}
