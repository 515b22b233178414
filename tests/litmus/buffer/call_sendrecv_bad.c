// vouch: run -n 2
// expect: error buffer/call-overlap @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[8] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(x, 4, MPI_INT, 1 - rank, 7, x + 3, 5, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
