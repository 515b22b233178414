// Sends to a rank that does not exist, and goes on.

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = 0;
  MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
