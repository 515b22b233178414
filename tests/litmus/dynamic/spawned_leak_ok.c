// vouch: run -- mpirun.openmpi --oversubscribe -n 1
// expect: clean
// requires: openmpi
// (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm other;
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  } else {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    (void)rank;
    MPI_Type_free(&pair);
  }
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
