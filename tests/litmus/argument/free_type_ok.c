// vouch: run -n 1
// expect: clean
// A duplicate of a predefined type is one's own; so is any error handler one was given.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  MPI_Errhandler handler;
  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
