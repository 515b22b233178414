// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1, y;
  MPI_Message message;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Mprobe(0, 7, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
