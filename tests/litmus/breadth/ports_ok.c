// One process opens a port and publishes it, the other one connects; then they are joined by a
// socket as well.
// vouch: run -n 2
// requires: openmpi
// expect: clean
#include <mpi.h>
#include <string.h>
#include <sys/socket.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME];
  MPI_Comm bridge;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("litmus-breadth", MPI_INFO_NULL, port);
    MPI_Lookup_name("litmus-breadth", MPI_INFO_NULL, found);
    CHECK(strcmp(port, found) == 0);
  }
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &bridge);
  } else {
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &bridge);
  }
  int size;
  MPI_Comm_remote_size(bridge, &size);
  CHECK(size == 1);
  MPI_Comm_disconnect(&bridge);
  if (rank == 0) {
    MPI_Unpublish_name("litmus-breadth", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  MPI_Finalize();
  return 0;
}
