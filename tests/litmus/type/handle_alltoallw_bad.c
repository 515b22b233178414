// vouch: run -n 1
// expect: error type/handle @a
// also: crash
// A null type beside a count that is not zero.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y, counts[1] = {1}, displs[1] = {0};
  MPI_Datatype types[1] = {MPI_DATATYPE_NULL}, ints[1] = {MPI_INT};
  MPI_Alltoallw(&x, counts, displs, types, &y, counts, displs, ints, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
