// vouch: run -n 1
// expect: error request/duplicate @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y;
  MPI_Request requests[2];
  MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
  requests[1] = requests[0];
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
