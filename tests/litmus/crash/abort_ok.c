// vouch: run -n 1
// expect: clean
// exit: 3
// A status of its own after MPI_Finalize is the program's business.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 3;
}
