// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[8] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(x, 4, MPI_INT, 1 - rank, 7, x + 4, 4, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(x, 8, MPI_INT, 1 - rank, 7, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(x, 8, MPI_INT, MPI_PROC_NULL, 7, x, 8, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
