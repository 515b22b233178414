// vouch: run -n 1
// expect: clean
// Nothing is sent to MPI_PROC_NULL.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1;
  MPI_Bsend(&x, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
