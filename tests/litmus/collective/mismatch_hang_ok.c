// vouch: run -n 4
// expect: clean
// Two ranks reduce on their own communicator, and the others wait for them elsewhere.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 0, y;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank == 1) MPI_Allreduce(&rank, &y, 1, MPI_INT, MPI_SUM, half);
  if (rank == 3) MPI_Allreduce(&rank, &y, 1, MPI_INT, MPI_SUM, half);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
