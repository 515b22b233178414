// vouch: run -n 1
// expect: error argument/constant @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int sizes[1] = {4}, parts[1] = {2}, starts[1] = {0};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(1, sizes, parts, starts, 12345, MPI_INT, &type);  // @a
  if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
