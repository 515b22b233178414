// vouch: run -n 1
// expect: error type/constructor @a
// requires: large-count
// [U44]
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_Type_contiguous_c(-5000000000LL, MPI_DOUBLE, &type);  // @a
  if (code == MPI_SUCCESS) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
