// vouch: run -- mpirun.openmpi --oversubscribe -n 2
// expect: clean
// requires: openmpi
// Away from the root command, arguments, number and info do not count. The child is this program again.
// (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other;
  int x = 1, sum = 0, root = rank == 0;
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    MPI_Comm_spawn(root ? argv[0] : NULL, root ? MPI_ARGV_NULL : NULL, root ? 1 : -7, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  }
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, other);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
