// vouch: run -n 1
// expect: error argument/count @a
// requires: large-count
// [U44]: the same rule for the large-count call.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  char x = 1;
  MPI_Send_c(&x, -3000000000LL, MPI_CHAR, MPI_PROC_NULL, 7, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
