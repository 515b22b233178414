// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 3, y, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Isend(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
  MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
  MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(&y, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Iprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
