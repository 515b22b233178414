// vouch: run -- mpirun.openmpi --oversubscribe -n 1
// expect: warning dynamic/disconnect @a
// requires: openmpi
// verdict: clean
// (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm other;
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
