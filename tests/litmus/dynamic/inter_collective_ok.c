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
  int x = rank, sum = 0;
  MPI_Barrier(other);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, other);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
