// vouch: run -n 2
// expect: error crash/signal
// also: crash
// A handler of the program's own, there before MPI_Init, that can only say so and end it.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static void give_up(int number) { _exit(3); }

int main(int argc, char** argv) {
  signal(SIGSEGV, give_up);
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  volatile int* const nowhere = (volatile int*)8;
  if (rank == 1) *nowhere = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
