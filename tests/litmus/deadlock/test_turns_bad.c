// vouch: run -n 2
// expect: error deadlock/livelock @a
// also: crash
// It asks for two things in turn and never looks at a clock: nothing can make it give up.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 0, y = 0;
  MPI_Request requests[2];
  if (rank == 0) {
    int flags[2] = {0, 0};
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
    while (!flags[0] && !flags[1]) {
      MPI_Test(&requests[0], &flags[0], MPI_STATUS_IGNORE);
      MPI_Test(&requests[1], &flags[1], MPI_STATUS_IGNORE);  // @a
    }
  }
  MPI_Finalize();
  return 0;
}
