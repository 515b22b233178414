// vouch: run -n 1
// expect: error argument/op @a
// also: crash
// MPI_REPLACE belongs to accumulates.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y = 0;
  MPI_Reduce(&x, &y, 1, MPI_INT, MPI_REPLACE, 0, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
