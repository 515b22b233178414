// vouch: run -n 2
// expect: error unmatched/ready-send @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank;
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);  // @a
  } else {
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
