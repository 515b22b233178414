// predict: -n 3
// finds: deadlock/ shown
// silent: in every schedule
// verdict: error
// A server answers only the first of the clients whose messages MPI_Waitsome has found. Had it found one at a time, all
// would be answered: the deadlock of this run is no deadlock of every schedule, and it is reported once.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 0, got[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(&got[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0, there = 0; i < 2; i += there)
      MPI_Request_get_status(requests[i], &there, MPI_STATUS_IGNORE);
    for (int served = 0; served < 2; ++served) {
      int count, which[2];
      MPI_Waitsome(2, requests, &count, which, MPI_STATUSES_IGNORE);
      if (count == MPI_UNDEFINED) break;
      MPI_Send(&x, 1, MPI_INT, which[0] + 1, 1, MPI_COMM_WORLD);
    }
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
