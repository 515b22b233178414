// vouch: run -n 2
// expect: warning crash/abort @a
// also: crash
// exit: any
// Code 0 pretends success: a warning only.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 0);  // @a
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
