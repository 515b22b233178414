// vouch: run -n 2
// expect: error type/truncation @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[5] = {0};
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 0) {
    MPI_Send(x, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, &request[1]);  // @a
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
