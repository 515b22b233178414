// vouch: run -n 1
// expect: warning type/handle @a
// With count 0 it is a warning; libraries refuse it all the same.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Send(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 7, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
