// vouch: run -n 1
// expect: error request/message @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int y;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
