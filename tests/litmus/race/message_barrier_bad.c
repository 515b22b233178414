// vouch: run -n 3
// expect: info race/message @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0, z = 0;
  if (rank == 0) {
    // Posted before the barrier, but it may match after it.
    MPI_Request request;
    MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);  // @a
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&z, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    if (rank == 2) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
