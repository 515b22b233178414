// vouch: run -n 1
// expect: error argument/attribute @a
// also: crash
// An error handler for windows on a communicator.
#include <mpi.h>

static void handle(MPI_Win* win, int* code, ...) {}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);  // @a
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
