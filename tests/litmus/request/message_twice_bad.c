// vouch: run -n 1
// expect: error request/message @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y;
  MPI_Message message, copy;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Mprobe(0, 7, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  copy = message;
  MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Mrecv(&y, 1, MPI_INT, &copy, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
