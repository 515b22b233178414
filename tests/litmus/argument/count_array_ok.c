// vouch: run -n 2
// expect: clean
// Zero entries and negative displacements; the arrays count at the root only.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int in[2] = {1, 2}, out[4], counts[2] = {0, 2}, displs[2] = {-100, -2};
  if (rank == 0) {
    MPI_Gatherv(NULL, 0, MPI_INT, out + 2, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Gatherv(in, 2, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
