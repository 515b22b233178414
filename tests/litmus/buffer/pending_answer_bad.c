// vouch: run -n 2
// expect: warning buffer/pending-overlap @a
// Wrong by the letter, but the answer cannot come while the question is read.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(x, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Send(x, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);  // @a
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(x, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
