// vouch: run -n 2
// expect: error crash/abort @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 1);  // @a
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
