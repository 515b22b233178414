// vouch: run -n 2
// expect: error argument/rank @a
// [U9]: the failed call takes no part; what follows is matched as if it had not been.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 2, 7, MPI_COMM_WORLD);  // @a
  for (int i = 0; i < 3; i++) {
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 7, &y, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
