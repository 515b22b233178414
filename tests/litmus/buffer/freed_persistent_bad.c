// vouch: run --check-buffers -n 1
// expect: error buffer/freed @a
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request;
  int* p = malloc(4096 * sizeof(int));
  MPI_Send_init(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  int got;
  MPI_Start(&request);
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(p);
  MPI_Start(&request);  // @a
  MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
