// vouch: run -n 1
// expect: error request/message @a
// also: crash
// A message that was never set.
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x;
  MPI_Message message;
  memset(&message, 0, sizeof message);
  MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
