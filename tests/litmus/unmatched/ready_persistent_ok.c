// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank;
  MPI_Request request;
  if (rank == 0) {
    MPI_Rsend_init(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
  } else {
    MPI_Recv_init(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  }
  for (int i = 0; i < 3; i++) {
    if (rank == 1) MPI_Start(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
