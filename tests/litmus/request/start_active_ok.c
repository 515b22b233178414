// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request requests[2];
  MPI_Recv_init(&y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
  MPI_Send_init(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[1]);
  for (int i = 0; i < 3; i++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
