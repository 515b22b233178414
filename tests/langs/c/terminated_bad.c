// Somebody ends one rank with SIGTERM, for which it has no handler.
// vouch: run -n 2
// expect: error crash/signal @a
// exit: any
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);  // @a
  if (rank == 1) kill(getpid(), SIGTERM);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
