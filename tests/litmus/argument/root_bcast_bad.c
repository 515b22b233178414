// vouch: run -n 2
// expect: error argument/root @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  MPI_Bcast(&x, 1, MPI_INT, size, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
