// vouch: run -n 3
// expect: clean
// requires: openmpi
// A server takes its clients as they come: which is the first is the library's to say.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm others[2];
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &others[i]);
    for (int i = 0; i < 2; ++i) MPI_Recv(&x, 1, MPI_INT, 0, 0, others[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i) MPI_Comm_disconnect(&others[i]);
    MPI_Close_port(port);
  } else {
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, others);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, others[0]);
    MPI_Comm_disconnect(&others[0]);
  }
  MPI_Finalize();
  return 0;
}
