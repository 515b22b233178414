// vouch: run -n 1
// expect: error argument/op @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  unsigned char x = 1, y;
  MPI_Scan(&x, &y, 1, MPI_BYTE, MPI_SUM, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
