// vouch: run -n 1
// expect: error type/uncommitted @a
// also: crash
// A duplicate keeps the state of its original.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[2] = {0};
  MPI_Datatype pair, again;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_dup(pair, &again);
  MPI_Bcast(x, 1, again, 0, MPI_COMM_SELF);  // @a
  MPI_Type_free(&again);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
