// vouch: run -n 2
// expect: clean
// requires: openmpi
// Two processes of one job connect by a port.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm other, copy;
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
  else
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, other);
  // What is made from it leads there as well.
  MPI_Comm_dup(other, &copy);
  if (rank == 0)
    MPI_Send(&x, 1, MPI_INT, 0, 0, copy);
  else
    MPI_Recv(&x, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Comm_disconnect(&other);
  if (rank == 0) MPI_Close_port(port);
  MPI_Finalize();
  return 0;
}
