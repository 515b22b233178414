// vouch: run -n 1
// expect: error type/constructor @a
// Starts inside its array and ends outside.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int sizes[2] = {4, 4}, parts[2] = {2, 2}, starts[2] = {0, 3};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);  // @a
  if (code == MPI_SUCCESS) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
