// vouch: run -n 3
// expect: info race/message @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0;
  MPI_Status status;
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);  // @a
    int first = status.MPI_SOURCE;
    MPI_Recv(&y, 1, MPI_INT, first, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(&y, 1, MPI_INT, 3 - first, 5, MPI_COMM_WORLD, &status);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
