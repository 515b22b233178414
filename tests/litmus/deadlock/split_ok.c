// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm half, copy;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &half);
  MPI_Comm_dup(half, &copy);
  if (rank == 0) MPI_Send(&y, 1, MPI_INT, 1, 0, copy);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
