// vouch: run -n 1
// expect: error argument/op @a
// Predefined ops know no derived types.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[2] = {1, 2}, y[2];
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Allreduce(x, y, 1, pair, MPI_SUM, MPI_COMM_SELF);  // @a
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
