// vouch: run -n 2
// expect: error buffer/call-overlap @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  double x[3] = {1, 2, 3};
  MPI_Allreduce(x, x, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
