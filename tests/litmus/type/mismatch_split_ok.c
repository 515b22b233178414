// vouch: run -n 4
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int color, x = 1;
  float y = 1;
  MPI_Comm half;
  color = rank / 2;
  MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &half);
  MPI_Comm_rank(half, &rank);
  if (rank == 0) {
    if (color == 0)
      MPI_Send(&y, 1, MPI_FLOAT, 1, 7, half);
    else
      MPI_Send(&x, 1, MPI_INT, 1, 7, half);
  } else {
    if (color == 0)
      MPI_Recv(&y, 1, MPI_FLOAT, 0, 7, half, MPI_STATUS_IGNORE);
    else
      MPI_Recv(&x, 1, MPI_INT, 0, 7, half, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
