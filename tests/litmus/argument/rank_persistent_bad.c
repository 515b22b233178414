// vouch: run -n 1
// expect: error argument/rank @a
// One of many hundred occurrences: one finding, with a count.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1;
  for (int i = 0; i < 500; i++) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Send_init(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);  // @a
  }
  MPI_Finalize();
  return 0;
}
