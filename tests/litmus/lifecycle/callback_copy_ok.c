// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stddef.h>

static int copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  int size;
  MPI_Comm_size(comm, &size);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval, value = 7;
  MPI_Comm comm, twin;
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_attr(comm, keyval, &value);
  MPI_Comm_dup(comm, &twin);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
