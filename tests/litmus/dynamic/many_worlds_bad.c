// vouch: run -- mpirun.openmpi --oversubscribe -n 2
// expect: error type/mismatch @a
// requires: openmpi
// Each parent has two worlds of its own; the message to the last one has another type.
// (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other, second;
  MPI_Comm_get_parent(&other);
  int x = rank;
  if (other != MPI_COMM_NULL) {
    MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, other, MPI_STATUS_IGNORE);  // @a
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1 + rank, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, MPI_ERRCODES_IGNORE);
  MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &second, MPI_ERRCODES_IGNORE);
  for (int i = 0; i <= rank; ++i) MPI_Send(&x, 1, MPI_INT, i, 1, other);
  float f = 1;
  if (rank == 1)
    MPI_Send(&f, 1, MPI_FLOAT, 0, 2, second);
  else
    MPI_Send(&x, 1, MPI_INT, 0, 2, second);
  MPI_Comm_disconnect(&second);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
