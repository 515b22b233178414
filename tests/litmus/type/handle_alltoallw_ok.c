// vouch: run -n 2
// expect: clean
// requires: mpich
// [U18]: a null type beside a zero count. (Open MPI refuses it.)
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1, y, counts[2] = {0, 0}, displs[2] = {0, 0};
  MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  counts[1 - rank] = 1;
  types[1 - rank] = MPI_INT;
  MPI_Alltoallw(&x, counts, displs, types, &y, counts, displs, types, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
