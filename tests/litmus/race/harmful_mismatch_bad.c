// vouch: run -n 3
// expect: error race/message-harmful @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int i = rank;
  float v = 1;
  if (rank == 0) {
    MPI_Recv(&i, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(&v, 1, MPI_FLOAT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&i, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(&i, 0, MPI_INT, 2, 6, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&i, 0, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&v, 1, MPI_FLOAT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
