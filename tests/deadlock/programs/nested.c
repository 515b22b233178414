// Ranks 0 and 1 wait for each other three calls deep, the others for rank 0.
#include <mpi.h>

__attribute__((noinline)) static void exchange(int rank) {
  int x = 0;
  MPI_Recv(&x, 1, MPI_INT, rank < 2 ? 1 - rank : 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void step(int rank) {
  MPI_Barrier(MPI_COMM_WORLD);
  exchange(rank);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  step(rank);
  MPI_Finalize();
  return 0;
}
