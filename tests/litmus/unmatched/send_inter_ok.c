// vouch: run -n 4
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1, color = rank % 2;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, color, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 9, &inter);
  MPI_Comm_rank(half, &rank);
  if (rank == 0) {
    if (color == 0) MPI_Send(&x, 1, MPI_INT, 1, 1, inter);
    else MPI_Send(&x, 1, MPI_INT, 1, 1, inter);
  } else {
    MPI_Recv(&x, 1, MPI_INT, color == 0 ? 0 : MPI_ANY_SOURCE, 1, inter, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
