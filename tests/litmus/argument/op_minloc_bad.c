// vouch: run -n 1
// expect: error argument/op @a
// MPI_MINLOC needs a pair type.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[2] = {1, 0}, y[2];
  MPI_Allreduce(x, y, 2, MPI_INT, MPI_MINLOC, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
