// vouch: run -n 2
// expect: error argument/in-place @a
// also: crash
// [U3]: away from the root.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[2] = {1, 2};
  if (rank == 1) MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, x, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
