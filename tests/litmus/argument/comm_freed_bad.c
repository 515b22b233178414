// vouch: run -n 1
// expect: error argument/communicator @a
// also: crash
// [U8]: a stale handle is a wild pointer to some libraries.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm comm, copy;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  copy = comm;
  MPI_Comm_free(&comm);
  MPI_Barrier(copy);  // @a
  MPI_Finalize();
  return 0;
}
