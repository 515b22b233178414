// vouch: run -n 1
// expect: clean
// Nothing is a fine message, from nowhere.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request;
  MPI_Irecv(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
  MPI_Send(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
