// vouch: explore -n 1
// expect: clean
// requires: openmpi
// verdict: inconclusive
// not-checked: spawned processes
// A child sends to its parent, which takes what comes. Only messages between processes that nobody spawned are tried
// in other orders. (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 0;
  MPI_Comm other;
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    for (int i = 0; i < 2; ++i) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, i, other, MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < 2; ++i) MPI_Send(&x, 1, MPI_INT, 0, i, other);
  }
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
