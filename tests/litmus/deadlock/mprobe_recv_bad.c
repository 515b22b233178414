// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
// What MPI_Mprobe has matched is out of the queue: a receive by source and tag waits for another one.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Message message;
  MPI_Status status;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);  // @a
  } else {
    MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    MPI_Send(&y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
