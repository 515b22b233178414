// vouch: run --check-buffers -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request request;
  MPI_Ssend_init(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  for (int i = 0; i < 3; ++i) {
    MPI_Request receive;
    MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &receive);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    x = i;
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
