// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// Two receives fill the same variable.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request[2];
    MPI_Irecv(x, 4, MPI_INT, 1, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(x + 3, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request[1]);  // @a
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
