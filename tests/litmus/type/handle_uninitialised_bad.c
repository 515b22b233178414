// vouch: run -n 2
// expect: error type/handle @a
// also: crash
// The default error handler ends the job in the call.
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 0;
  MPI_Datatype type;
  memset(&type, 0x22, sizeof type);
  MPI_Bcast(&x, 1, type, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
