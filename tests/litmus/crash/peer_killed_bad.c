// vouch: run -n 4
// expect: error crash/abort @a
// also: crash
// [U7]: the launcher kills the others; their open receives and live objects are no findings.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm twin;
  MPI_Request request;
  int value;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, twin, &request);
  if (rank == 2) MPI_Abort(MPI_COMM_WORLD, 9);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
