// vouch: run -- mpirun.openmpi --oversubscribe -n 2
// expect: clean
// requires: openmpi
// What is made from the communicator between parents and children.
// (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other;
  MPI_Comm_get_parent(&other);
  const int child = other != MPI_COMM_NULL;
  if (!child) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  }
  MPI_Comm copy, part;
  MPI_Comm_dup(other, &copy);
  MPI_Comm_split(other, rank, 0, &part);
  int x = rank;
  if (child) {
    MPI_Send(&x, 1, MPI_INT, 0, 0, copy);
    MPI_Send(&x, 1, MPI_INT, 0, 0, part);
  } else {
    if (rank == 0) {
      MPI_Recv(&x, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
      MPI_Recv(&x, 1, MPI_INT, 1, 0, copy, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&x, 1, MPI_INT, 0, 0, part, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
