// vouch: run -n 1
// expect: clean
// requires: large-count
// [U44]: more than 2^31 bytes, and a count above 2^31 beside MPI_PROC_NULL, are fine.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Count rows = 65536, columns = 40000;
  char x = 1;
  MPI_Send_c(&x, rows * columns, MPI_CHAR, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  MPI_Recv_c(&x, rows * columns, MPI_CHAR, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&x, 1000000000, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
