// vouch: run -n 1
// expect: clean
// requires: openmpi
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char port[MPI_MAX_PORT_NAME];
  MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Close_port(port);
  MPI_Finalize();
  return 0;
}
