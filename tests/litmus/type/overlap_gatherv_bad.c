// vouch: run -n 3
// expect: error type/overlap @a
//
// MPI-4.1 6.5: no location of the root is written more than once.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, data[8], mine[4] = {0}, counts[3] = {4, 3, 2}, places[3] = {0, 3, 6};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Gatherv(mine, counts[rank], MPI_INT, data, counts, places, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
