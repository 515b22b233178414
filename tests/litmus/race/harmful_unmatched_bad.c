// vouch: run -n 3
// expect: error race/message-harmful @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0, z = 0;
  if (rank == 0) {
    MPI_Request first, second;
    MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &first);  // @a
    MPI_Irecv(&z, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &second);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // Both messages are here, so this comes too late.
    MPI_Cancel(&second);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&y, 0, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(&x, 0, MPI_INT, 0, 7, MPI_COMM_WORLD);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(&x, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
