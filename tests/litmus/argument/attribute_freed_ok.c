// vouch: run -n 2
// expect: clean
// A freed keyval lives until its last attribute is gone: a copy of the key can be used (MPI-4.1 7.7.2).
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval, copy, value = 1, flag, *got;
  MPI_Comm comm, twin;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  copy = keyval;
  MPI_Comm_set_attr(comm, keyval, &value);
  MPI_Comm_dup(comm, &twin);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_get_attr(comm, copy, &got, &flag);
  MPI_Comm_delete_attr(comm, copy);
  MPI_Comm_get_attr(twin, copy, &got, &flag);
  MPI_Comm_set_attr(comm, copy, &value);
  MPI_Comm_free(&twin);
  MPI_Comm_delete_attr(comm, copy);
  MPI_Comm_free(&comm);

  MPI_Datatype type, other;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  copy = keyval;
  MPI_Type_set_attr(type, keyval, &value);
  MPI_Type_free_keyval(&keyval);
  MPI_Type_dup(type, &other);
  MPI_Type_get_attr(type, copy, &got, &flag);
  MPI_Type_free(&type);
  MPI_Type_delete_attr(other, copy);
  MPI_Type_free(&other);

  MPI_Win win;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, NULL);
  copy = keyval;
  MPI_Win_set_attr(win, keyval, &value);
  MPI_Win_free_keyval(&keyval);
  MPI_Win_get_attr(win, copy, &got, &flag);
  MPI_Win_delete_attr(win, copy);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
