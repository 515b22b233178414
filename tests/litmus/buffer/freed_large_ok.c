// vouch: run -n 2 --check-buffers
// expect: clean
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  enum { kBytes = 1 << 24 };
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* buffer = calloc(1, kBytes);
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(buffer, kBytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(buffer);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(buffer, kBytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(buffer);
  }
  MPI_Finalize();
  return 0;
}
