// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// expect: error deadlock/wait-cycle @b
// exit: any
// Two receives into one buffer: wrong data, but they complete. The deadlock has nothing to do with it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, y = 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int buffer[4];
  MPI_Request requests[2];
  if (rank == 0) {
    MPI_Irecv(buffer, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(buffer + 1, 2, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);  // @a
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(buffer, 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Send(buffer, 2, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Recv(&y, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @b
  MPI_Send(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
