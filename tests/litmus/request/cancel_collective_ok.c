// vouch: run -n 1
// expect: clean
// [U33]: a cancelled receive is completed like any other.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int y, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  MPI_Finalize();
  return 0;
}
