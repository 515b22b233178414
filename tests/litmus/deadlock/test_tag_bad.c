// vouch: run -n 2
// expect: error deadlock/livelock @a
// It asks for a message with another tag than the one that is lying there.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, y, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&y, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
