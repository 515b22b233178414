// vouch: run -n 1
// expect: clean
// A freed keyval lives on while attributes use it.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval, value = 1;
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  MPI_Type_set_attr(type, keyval, &value);
  MPI_Type_free_keyval(&keyval);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
