// vouch: run -n 1
// expect: error argument/attribute @a
// also: crash
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int keyval, copy, value = 1;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  copy = keyval;
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_set_attr(comm, copy, &value);  // @a
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
