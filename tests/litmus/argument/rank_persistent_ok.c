// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1;
  MPI_Request request;
  MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 500; i++) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
