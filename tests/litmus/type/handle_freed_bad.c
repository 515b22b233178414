// vouch: run -n 1
// expect: error type/handle @a
// also: crash
// [U8]: a freed type is a wild pointer to some libraries.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[2] = {1, 2};
  MPI_Datatype pair, copy;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  copy = pair;
  MPI_Type_free(&pair);
  MPI_Send(x, 1, copy, MPI_PROC_NULL, 7, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
