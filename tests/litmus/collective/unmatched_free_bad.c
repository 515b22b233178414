// vouch: run -n 2
// expect: error collective/mismatch @a
// also: crash
// The root goes on alone, and MPI_Comm_free is normally local: the program comes to its end.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Ibcast(&value, 1, MPI_INT, 0, twin, &request);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
