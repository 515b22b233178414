// vouch: run -n 1
// expect: error type/handle @a
// also: crash
// One datatype that was never set, for both buffers of a call: one mistake.
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 0, y;
  MPI_Datatype type;
  memset(&type, 0, sizeof type);
  MPI_Sendrecv(&x, 1, type, 0, 0, &y, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
