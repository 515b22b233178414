// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank;
  if (rank == 0) {
    int go;
    MPI_Recv(&go, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
