// vouch: run -n 1
// expect: error crash/mpi-error @a
// also: crash
// The library stops the job for a reason that no rule explains: a copy callback fails, and errors are fatal.
#include <mpi.h>
#include <stddef.h>

static int refuse(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  return MPI_ERR_OTHER;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval, value = 7;
  MPI_Comm comm, twin;
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_attr(comm, keyval, &value);
  MPI_Comm_dup(comm, &twin);  // @a
  MPI_Finalize();
  return 0;
}
