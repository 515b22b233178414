// vouch: run -n 2
// expect: clean
// The message comes behind another one, which is received later.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, y, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 11, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&y, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
