// vouch: run -n 3
// expect: clean
//
// MPI-4.1 6.6: no location of the root is read more than once; the order of the blocks does not matter.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, data[9] = {0}, mine[4], counts[3] = {4, 3, 2}, places[3] = {5, 2, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Scatterv(data, counts, places, MPI_INT, mine, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
