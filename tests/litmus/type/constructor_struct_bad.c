// vouch: run -n 1
// expect: error type/constructor @a
// The second entry of the array.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int lengths[2] = {1, -2};
  MPI_Aint displs[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type = MPI_DATATYPE_NULL;
  int code = MPI_Type_create_struct(2, lengths, displs, types, &type);  // @a
  if (code == MPI_SUCCESS) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
