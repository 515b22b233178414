// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, y = 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int buffer[4];
  MPI_Request requests[2];
  if (rank == 0) {
    MPI_Irecv(buffer, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(buffer + 2, 2, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(buffer, 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Send(buffer, 2, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 3, &y, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
