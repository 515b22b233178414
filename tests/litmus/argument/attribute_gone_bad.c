// vouch: run -n 1
// expect: error argument/attribute @a
// expect: error argument/attribute @b
// also: crash
// The last attribute of a freed keyval is gone, and with it the keyval.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int keyval, copy, value = 1, flag, *got;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  copy = keyval;
  MPI_Comm_set_attr(comm, keyval, &value);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_free(&comm);
  MPI_Comm_get_attr(MPI_COMM_SELF, copy, &got, &flag);  // @a

  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  copy = keyval;
  MPI_Type_set_attr(type, keyval, &value);
  MPI_Type_free_keyval(&keyval);
  MPI_Type_delete_attr(type, copy);
  MPI_Type_set_attr(type, copy, &value);  // @b
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
