// vouch: run -n 2
// expect: error crash/signal @a
// also: crash
// SIGKILL leaves no chance to flush anything; the last call is in the ring already.
#include <mpi.h>
#include <signal.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Comm_set_name(MPI_COMM_WORLD, "last words");  // @a
    raise(SIGKILL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
