// vouch: run -n 1
// expect: error argument/rank @a
// MPI_ANY_SOURCE names no receiver.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);  // @a
  MPI_Finalize();
  return 0;
}
