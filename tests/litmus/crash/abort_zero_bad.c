// vouch: run -n 1
// expect: warning crash/abort @a
// also: crash
// exit: any
// Code 0 pretends success: a warning only.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Abort(MPI_COMM_WORLD, 0);  // @a
  MPI_Finalize();
  return 0;
}
