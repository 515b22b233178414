// vouch: run -n 1
// expect: error type/constructor @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &type);  // @a
  if (code == MPI_SUCCESS) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
