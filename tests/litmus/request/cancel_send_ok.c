// vouch: run -n 2
// expect: info request/cancel @a
// [U33]: cancelling a send is deprecated, no more; whichever way it ends, the receiver learns of it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int x[4096];
  int cancelled = 0;
  MPI_Request request;
  MPI_Status status;
  if (rank == 0) {
    MPI_Issend(x, 4096, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);  // @a
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Irecv(x, 4096, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
  if (rank == 0) {
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
  }
  MPI_Bcast(&cancelled, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1 && cancelled) MPI_Cancel(&request);
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
