// vouch: run -n 2
// expect: error unmatched/collective @a
// expect: warning leak/communicator
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int value = 1;
  MPI_Request request;
  MPI_Comm twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  // The root may go on without the others.
  if (rank == 0) {
    MPI_Ibcast(&value, 1, MPI_INT, 0, twin, &request);  // @a
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
