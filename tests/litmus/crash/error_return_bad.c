// vouch: run -n 1
// expect: warning crash/error-return @a
// MPI_Comm_dup fails because a copy callback does, and the program does not look.
#include <mpi.h>
#include <stddef.h>

static int refuse(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  return MPI_ERR_OTHER;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int keyval, value = 7;
  MPI_Comm comm, twin;
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_attr(comm, keyval, &value);
  MPI_Comm_dup(comm, &twin);  // @a
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
