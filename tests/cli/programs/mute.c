// Rank 0 asks whether there is a message, as often as the second argument says, then ends as the
// first one says: "end": by a system call behind MPI_Finalize, where no handler of exit sees it;
// "wait": in a receive of what nobody sends.

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, there = 0, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < atoi(argv[2]); ++i)
      MPI_Iprobe(1, 7, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (!strcmp(argv[1], "wait")) MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  syscall(SYS_exit_group, 0);
}
