// vouch: run -n 2
// expect: error crash/abort
// flags: -O2
// An error handler that ends in MPI_Abort, compiled to a jump: the call is the program's own.
#include <mpi.h>

static void handle(MPI_Comm* comm, int* error, ...) { MPI_Abort(*comm, 3); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  if (rank == 0) MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
