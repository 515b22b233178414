// One rank fails in the way that the second argument says, while the others are in MPI_Finalize.

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == atoi(argv[1])) {
    usleep(100000);  // they are there by now
    if (strcmp(argv[2], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(argv[2], "error") == 0) MPI_Send(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    if (strcmp(argv[2], "fault") == 0) raise(SIGSEGV);
    if (strcmp(argv[2], "exit") == 0) exit(5);
    if (strcmp(argv[2], "kill") == 0) raise(SIGKILL);
  }
  MPI_Finalize();
  return 0;
}
