// vouch: run -n 1
// expect: error argument/count @a
// 65536 * 40000 does not fit into an int.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  volatile int rows = 65536, columns = 40000;
  int x = 1;
  MPI_Bcast(&x, (int)((unsigned)rows * (unsigned)columns), MPI_INT, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
