// vouch: run -n 2
// expect: error deadlock/livelock @a
// also: crash
// It asks for a message that a receive from any source has taken.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int there = 0;
    while (!there) MPI_Iprobe(1, 5, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);  // @a
  } else {
    MPI_Send(&y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
