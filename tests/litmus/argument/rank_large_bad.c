// vouch: run -n 1
// expect: error argument/rank @a
// expect: error argument/tag @b
// requires: large-count
// [U44]: ranks and tags of large-count calls.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  char x = 1;
  MPI_Send_c(&x, 1, MPI_CHAR, 1, 7, MPI_COMM_WORLD);  // @a
  MPI_Recv_c(&x, 1, MPI_CHAR, 0, -9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @b
  MPI_Finalize();
  return 0;
}
