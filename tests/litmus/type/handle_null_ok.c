// vouch: run -n 2
// expect: clean
// A null type that is not looked at: away from the root of a gather.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1, y[2];
  MPI_Gather(&x, 1, MPI_INT, y, 1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
