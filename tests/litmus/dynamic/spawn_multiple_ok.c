// vouch: run -- mpirun.openmpi --oversubscribe -n 1
// expect: clean
// requires: openmpi
// One world of three processes from two commands.
// (MPICH's UCX device cannot spawn.)
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm other;
  MPI_Comm_get_parent(&other);
  int x = rank;
  if (other == MPI_COMM_NULL) {
    char* commands[] = {argv[0], argv[0]};
    int counts[] = {1, 2};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 2, 0, other);
  } else {
    if (rank == 2) MPI_Recv(&x, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
