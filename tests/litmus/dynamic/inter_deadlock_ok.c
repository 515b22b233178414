// vouch: run -- mpirun.openmpi --oversubscribe -n 2
// expect: clean
// requires: openmpi
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
  int x = rank, y = 0;
  if (child) MPI_Send(&x, 1, MPI_INT, rank, 0, other);
  MPI_Recv(&y, 1, MPI_INT, rank, 0, other, MPI_STATUS_IGNORE);
  if (!child) MPI_Send(&x, 1, MPI_INT, rank, 0, other);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
