// vouch: run -n 1
// expect: clean
// A probe of MPI_PROC_NULL gives a message that may be received or dropped; a false MPI_Improbe gives none.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int y, flag;
  MPI_Message message;
  MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Improbe(0, 7, MPI_COMM_SELF, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
