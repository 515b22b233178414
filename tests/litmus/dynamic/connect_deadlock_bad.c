// vouch: run -n 4
// expect: error deadlock/wait-cycle @a
// requires: openmpi
// Two halves of the job connect by a port whose name is published.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int serves = rank % 2 == 0;
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm half, other;
  MPI_Comm_split(MPI_COMM_WORLD, serves, rank, &half);
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("litmus-deadlock-bad", MPI_INFO_NULL, port);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Lookup_name("litmus-deadlock-bad", MPI_INFO_NULL, port);
  if (serves)
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other);
  else
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other);
  MPI_Recv(&y, 1, MPI_INT, rank / 2, 0, other, MPI_STATUS_IGNORE);  // @a
  MPI_Send(&x, 1, MPI_INT, rank / 2, 0, other);
  MPI_Comm_disconnect(&other);
  if (rank == 0) {
    MPI_Unpublish_name("litmus-deadlock-bad", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
