// vouch: run -n 2 --buffering as-run
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 1, copy);
    MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, copy, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
