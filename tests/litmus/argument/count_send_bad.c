// vouch: run -n 1
// expect: error argument/count @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1;
  MPI_Send(&x, -1, MPI_INT, 0, 7, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
