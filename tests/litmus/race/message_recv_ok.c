// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0;
  MPI_Status status;
  if (rank == 0) {
    // The second sender waits for the first one's message to be here.
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Send(&y, 1, MPI_INT, 2, 6, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
  } else {
    if (rank == 2) MPI_Recv(&y, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &status);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
