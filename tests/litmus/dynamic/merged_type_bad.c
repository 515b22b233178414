// vouch: run -- mpirun.openmpi --oversubscribe -n 2
// expect: error type/mismatch @a
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
  MPI_Comm all;
  int me, size;
  MPI_Intercomm_merge(other, child, &all);
  MPI_Comm_rank(all, &me);
  MPI_Comm_size(all, &size);
  double x = me;
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, all);
  if (me == 0) MPI_Send(&x, 1, MPI_DOUBLE, size - 1, 0, all);
  if (me == size - 1) MPI_Recv(&x, 2, MPI_INT, 0, 0, all, MPI_STATUS_IGNORE);  // @a
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
