// vouch: run -n 1
// expect: error buffer/freed @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int *p, x = 1;
  MPI_Request request;
  MPI_Alloc_mem(64 * sizeof(int), MPI_INFO_NULL, &p);
  MPI_Isend(p, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Free_mem(p);  // @a
  MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
