// vouch: run -n 1
// expect: error leak/message @a
// also: crash
// requires: openmpi
// The probe finds nothing the first time: one message is matched, and never received.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1;
  int flag = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; flag == 0; ++i) {
    if (i == 2) MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Improbe(0, 7, MPI_COMM_SELF, &flag, &message, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
