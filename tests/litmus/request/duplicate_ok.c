// vouch: run -n 1
// expect: clean
// Equal null handles are not duplicates, nor are requests of equal operations.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y[2];
  MPI_Request requests[4];
  MPI_Irecv(&y[0], 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
  MPI_Irecv(&y[1], 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[1]);
  requests[2] = requests[3] = MPI_REQUEST_NULL;
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
