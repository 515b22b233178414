// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Message message;
  MPI_Request requests[2];
  MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
  MPI_Mprobe(0, 7, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(&y, 1, MPI_INT, &message, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
