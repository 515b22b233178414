// vouch: run -n 1
// expect: error argument/tag @a
// expect: error argument/tag @b
// The tag counts with MPI_PROC_NULL too.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1;
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, -42, MPI_COMM_WORLD);  // @a
  MPI_Recv(&x, 1, MPI_INT, 0, -43, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @b
  MPI_Finalize();
  return 0;
}
