// vouch: run -- mpirun.openmpi --oversubscribe -n 2
// expect: error deadlock/wait-cycle @a
// requires: openmpi
// The first parent and the last child wait for each other on the communicator of all.
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
  int x = me;
  if (me == 0 || me == size - 1)
    MPI_Recv(&x, 1, MPI_INT, size - 1 - me, 0, all, MPI_STATUS_IGNORE);  // @a
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
