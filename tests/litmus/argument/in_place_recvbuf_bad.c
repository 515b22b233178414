// vouch: run -n 1
// expect: error argument/in-place @a
// also: crash
// [U3]: the receive side of an all-to-all call.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1;
  MPI_Allgather(&x, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
