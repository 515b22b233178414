// vouch: run -n 2
// expect: clean
// The loop ends with a signal from another process, whose handler was set before MPI_Init.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int number) { stop = number; }

int main(int argc, char** argv) {
  signal(SIGUSR2, on_signal);
  MPI_Init(&argc, &argv);
  int rank, flag = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    char command[64];
    snprintf(command, sizeof(command), "(sleep 12; kill -USR2 %d) > /dev/null 2>&1 &", (int)getpid());
    if (system(command) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
    while (!stop) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&y, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
