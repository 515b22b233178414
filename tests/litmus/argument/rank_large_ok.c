// vouch: run -n 1
// expect: clean
// requires: large-count
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char x = 1, y;
  MPI_Request request;
  MPI_Irecv_c(&y, 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
  MPI_Send_c(&x, 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast_c(&x, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
