// vouch: run -n 2
// expect: clean
// Attribute copy and delete functions may communicate: only reduction operations may not
// (MPI-4.1 6.9.5, 7.7).
#include <mpi.h>
#include <stddef.h>

static int copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  MPI_Comm_dup(*(MPI_Comm*)in, (MPI_Comm*)extra);
  *(void**)out = extra;
  MPI_Barrier(comm);
  *flag = 1;
  return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void* value, void* extra) {
  if (value == extra) MPI_Comm_free((MPI_Comm*)value);
  return MPI_Barrier(MPI_COMM_WORLD);
}

static int copy_type(MPI_Datatype type, int keyval, void* extra, void* in, void* out, int* flag) {
  int mine = 1, sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  *(void**)out = in;
  *flag = sum == 2;
  return MPI_SUCCESS;
}

static int drop_window(MPI_Win win, int keyval, void* value, void* extra) {
  return MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm, twin, inner = MPI_COMM_NULL, cached;
  int keyval;
  MPI_Comm_create_keyval(copy, drop, &keyval, &inner);
  MPI_Comm_dup(MPI_COMM_WORLD, &cached);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, keyval, &cached);
  MPI_Comm_dup(comm, &twin);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&cached);
  MPI_Comm_free_keyval(&keyval);

  MPI_Datatype type, other;
  int value = 1;
  MPI_Type_create_keyval(copy_type, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_attr(type, keyval, &value);
  MPI_Type_dup(type, &other);
  MPI_Type_free(&type);
  MPI_Type_free(&other);
  MPI_Type_free_keyval(&keyval);

  MPI_Win win;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop_window, &keyval, NULL);
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_attr(win, keyval, &value);
  MPI_Win_free(&win);
  MPI_Win_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
